package lakeproof;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HMSHandler;
import org.apache.hadoop.hive.metastore.MetaStoreEventListenerConstants;
import org.apache.hadoop.hive.metastore.Warehouse;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NotificationEvent;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.api.TxnType;
import org.apache.hadoop.hive.metastore.events.AbortTxnEvent;
import org.apache.hadoop.hive.metastore.events.AddPartitionEvent;
import org.apache.hadoop.hive.metastore.events.AllocWriteIdEvent;
import org.apache.hadoop.hive.metastore.events.AlterDatabaseEvent;
import org.apache.hadoop.hive.metastore.events.AlterPartitionEvent;
import org.apache.hadoop.hive.metastore.events.AlterTableEvent;
import org.apache.hadoop.hive.metastore.events.CommitTxnEvent;
import org.apache.hadoop.hive.metastore.events.CreateDatabaseEvent;
import org.apache.hadoop.hive.metastore.events.CreateTableEvent;
import org.apache.hadoop.hive.metastore.events.DeletePartitionColumnStatEvent;
import org.apache.hadoop.hive.metastore.events.DeleteTableColumnStatEvent;
import org.apache.hadoop.hive.metastore.events.DropPartitionEvent;
import org.apache.hadoop.hive.metastore.events.DropTableEvent;
import org.apache.hadoop.hive.metastore.events.ListenerEvent;
import org.apache.hadoop.hive.metastore.events.OpenTxnEvent;
import org.apache.hadoop.hive.metastore.events.UpdatePartitionColumnStatEvent;
import org.apache.hadoop.hive.metastore.events.UpdatePartitionColumnStatEventBatch;
import org.apache.hadoop.hive.metastore.events.UpdateTableColumnStatEvent;
import org.apache.hadoop.hive.metastore.messaging.EventMessage;
import org.apache.hadoop.hive.metastore.messaging.EventMessage.EventType;
import org.apache.hadoop.hive.metastore.messaging.MessageBuilder;
import org.apache.hadoop.hive.metastore.messaging.MessageEncoder;
import org.apache.hadoop.hive.metastore.messaging.MessageFactory;
import org.apache.hadoop.hive.metastore.tools.SQLGenerator;

/**
 * Writes the notification log in the database transaction of each change, with the sequence row locked to its end, as
 * Hive's DbNotificationListener does; there is no artefact of that listener for 4.0.1.
 */
public class LogListener extends ConstraintListener {
  private static final MessageBuilder BUILD = MessageBuilder.getInstance();
  private static final String NEXT_EVENT = "\"NEXT_EVENT_ID\"";
  private static final String NEXT_ROW = "\"NEXT_VAL\"";
  private static final String EVENT_SEQUENCE = "\"NOTIFICATION_SEQUENCE\"";
  private static final String ROW_SEQUENCE = "\"SEQUENCE_TABLE\"";
  private static final String WHICH_ROW =
      " where \"SEQUENCE_NAME\" = 'org.apache.hadoop.hive.metastore.model.MNotificationLog'";
  private static final String INSERT = "insert into \"NOTIFICATION_LOG\" (\"NL_ID\", \"EVENT_ID\", \"EVENT_TIME\", "
      + "\"EVENT_TYPE\", \"MESSAGE\", \"MESSAGE_FORMAT\", \"DB_NAME\", \"TBL_NAME\", \"CAT_NAME\") "
      + "values (?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private final MessageEncoder encoder;

  public LogListener(Configuration conf) {
    super(conf);
    encoder = MessageFactory.getDefaultInstance(conf);
  }

  /** The cache refuses to follow the log unless some listener says so. */
  @Override
  public boolean doesAddEventsToNotificationLogTable() {
    return true;
  }

  @Override
  public void onCreateDatabase(CreateDatabaseEvent event) throws MetaException {
    Database made = event.getDatabase();
    add(event, EventType.CREATE_DATABASE, BUILD.buildCreateDatabaseMessage(made), made.getCatalogName(), made.getName(),
        null);
  }

  @Override
  public void onAlterDatabase(AlterDatabaseEvent event) throws MetaException {
    Database before = event.getOldDatabase();
    add(event, EventType.ALTER_DATABASE, BUILD.buildAlterDatabaseMessage(before, event.getNewDatabase()),
        before.getCatalogName(), before.getName(), null);
  }

  @Override
  public void onCreateTable(CreateTableEvent event) throws MetaException {
    add(event, EventType.CREATE_TABLE, BUILD.buildCreateTableMessage(event.getTable(), Collections.emptyIterator()),
        event.getTable());
  }

  /** The event of a rename has the new name, in Hive's listener, too; the message has both. */
  @Override
  public void onAlterTable(AlterTableEvent event) throws MetaException {
    add(event, EventType.ALTER_TABLE, BUILD.buildAlterTableMessage(event.getOldTable(), event.getNewTable(),
        event.getIsTruncateOp(), event.getWriteId()), event.getNewTable());
  }

  @Override
  public void onDropTable(DropTableEvent event) throws MetaException {
    add(event, EventType.DROP_TABLE, BUILD.buildDropTableMessage(event.getTable()), event.getTable());
  }

  @Override
  public void onAddPartition(AddPartitionEvent event) throws MetaException {
    add(event, EventType.ADD_PARTITION, BUILD.buildAddPartitionMessage(event.getTable(), event.getPartitionIterator(),
        Collections.emptyIterator()), event.getTable());
  }

  @Override
  public void onAlterPartition(AlterPartitionEvent event) throws MetaException {
    add(event, EventType.ALTER_PARTITION, BUILD.buildAlterPartitionMessage(event.getTable(), event.getOldPartition(),
        event.getNewPartition(), event.getIsTruncateOp(), event.getWriteId()), event.getTable());
  }

  @Override
  public void onDropPartition(DropPartitionEvent event) throws MetaException {
    add(event, EventType.DROP_PARTITION, BUILD.buildDropPartitionMessage(event.getTable(),
        event.getPartitionIterator()), event.getTable());
  }

  @Override
  public void onUpdateTableColumnStat(UpdateTableColumnStatEvent event) throws MetaException {
    add(event, EventType.UPDATE_TABLE_COLUMN_STAT, BUILD.buildUpdateTableColumnStatMessage(event.getColStats(),
        event.getTableObj(), event.getTableParameters(), event.getWriteId()), event.getTableObj());
  }

  @Override
  public void onUpdatePartitionColumnStat(UpdatePartitionColumnStatEvent event) throws MetaException {
    add(event, EventType.UPDATE_PARTITION_COLUMN_STAT, BUILD.buildUpdatePartitionColumnStatMessage(
        event.getPartColStats(), event.getPartVals(), event.getPartParameters(), event.getTableObj(),
        event.getWriteId()), event.getTableObj());
  }

  /** Hive's listener adds an event per partition, of the kind that one alone has. */
  @Override
  public void onUpdatePartitionColumnStatInBatch(UpdatePartitionColumnStatEventBatch batch, Connection connection,
      SQLGenerator sql) throws MetaException {
    for (int i = 0; i < batch.getNumEntries(); i++) {
      UpdatePartitionColumnStatEvent event = batch.getPartColStatEvent(i);
      Table table = event.getTableObj();
      add(connection, sql, EventType.UPDATE_PARTITION_COLUMN_STAT, BUILD.buildUpdatePartitionColumnStatMessage(
          event.getPartColStats(), event.getPartVals(), event.getPartParameters(), table, event.getWriteId()),
          table.getDbName(), table.getTableName());
    }
  }

  @Override
  public void onDeleteTableColumnStat(DeleteTableColumnStatEvent event) throws MetaException {
    add(event, EventType.DELETE_TABLE_COLUMN_STAT, BUILD.buildDeleteTableColumnStatMessage(event.getDBName(),
        event.getColName()), event.getCatName(), event.getDBName(), event.getTableName());
  }

  @Override
  public void onDeletePartitionColumnStat(DeletePartitionColumnStatEvent event) throws MetaException {
    add(event, EventType.DELETE_PARTITION_COLUMN_STAT, BUILD.buildDeletePartitionColumnStatMessage(event.getDBName(),
        event.getColName(), event.getPartName(), event.getPartVals()), event.getCatName(), event.getDBName(),
        event.getTableName());
  }

  @Override
  public void onOpenTxn(OpenTxnEvent event, Connection connection, SQLGenerator sql) throws MetaException {
    if (event.getTxnType() != TxnType.READ_ONLY) {
      List<Long> ids = event.getTxnIds();
      add(connection, sql, EventType.OPEN_TXN, BUILD.buildOpenTxnMessage(ids.get(0), ids.get(ids.size() - 1)), null,
          null);
    }
  }

  @Override
  public void onCommitTxn(CommitTxnEvent event, Connection connection, SQLGenerator sql) throws MetaException {
    if (event.getTxnType() != TxnType.READ_ONLY) {
      add(connection, sql, EventType.COMMIT_TXN, BUILD.buildCommitTxnMessage(event.getTxnId()), null, null);
    }
  }

  @Override
  public void onAbortTxn(AbortTxnEvent event, Connection connection, SQLGenerator sql) throws MetaException {
    if (event.getTxnType() != TxnType.READ_ONLY) {
      add(connection, sql, EventType.ABORT_TXN, BUILD.buildAbortTxnMessage(event.getTxnId(), event.getDbsUpdated()),
          null, null);
    }
  }

  @Override
  public void onAllocWriteId(AllocWriteIdEvent event, Connection connection, SQLGenerator sql) throws MetaException {
    add(connection, sql, EventType.ALLOC_WRITE_ID, BUILD.buildAllocWriteIdMessage(event.getTxnToWriteIdList(),
        event.getDbName(), event.getTableName()), event.getDbName(), event.getTableName());
  }

  private void add(ListenerEvent cause, EventType type, EventMessage message, Table table) throws MetaException {
    add(cause, type, message, table.getCatName(), table.getDbName(), table.getTableName());
  }

  /** Changes of content: the object store adds the event in its own transaction. */
  @Override
  void add(ListenerEvent cause, EventType type, EventMessage message, String catalog, String database,
      String table) throws MetaException {
    NotificationEvent event = event(type, message, catalog, database, table);
    HMSHandler.getMSForConf(getConf()).addNotificationEvent(event);
    cause.putParameter(MetaStoreEventListenerConstants.DB_NOTIFICATION_EVENT_ID_KEY_NAME,
        Long.toString(event.getEventId()));
  }

  /** Changes of transactions: on the connection that makes them. */
  private void add(Connection connection, SQLGenerator sql, EventType type, EventMessage message, String database,
      String table) throws MetaException {
    NotificationEvent event = event(type, message, null, database, table);
    try {
      long id = next(connection, sql, NEXT_EVENT, EVENT_SEQUENCE, "");
      long row = next(connection, sql, NEXT_ROW, ROW_SEQUENCE, WHICH_ROW);
      Object[] values = {row, id, event.getEventTime(), event.getEventType(), event.getMessage(),
          event.getMessageFormat(), event.getDbName(), event.getTableName(), event.getCatName()};
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        for (int i = 0; i < values.length; i++) {
          insert.setObject(i + 1, values[i]);
        }
        insert.executeUpdate();
      }
    } catch (SQLException e) {
      throw new MetaException("notification log: expected to add " + type + ", got " + e);
    }
  }

  private NotificationEvent event(EventType type, EventMessage message, String catalog, String database,
      String table) {
    NotificationEvent event = new NotificationEvent(0, (int) (System.currentTimeMillis() / 1000), type.toString(),
        encoder.getSerializer().serialize(message));
    event.setMessageFormat(encoder.getMessageFormat());
    event.setCatName(catalog == null ? Warehouse.DEFAULT_CATALOG_NAME : catalog);
    event.setDbName(database);
    event.setTableName(table);
    return event;
  }

  private static long next(Connection connection, SQLGenerator sql, String column, String sequence, String which)
      throws SQLException, MetaException {
    String select = sql.addForUpdateClause("select " + column + " from " + sequence + which);
    long id;
    try (Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery(select)) {
      if (!found.next()) {
        throw new MetaException("notification log: expected a row in " + sequence + ", found none");
      }
      id = found.getLong(1);
    }
    String update = "update " + sequence + " set " + column + " = ?" + which;
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      statement.setLong(1, id + 1);
      statement.executeUpdate();
    }
    return id;
  }
}
