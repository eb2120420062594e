package lakeproof;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.TransactionalMetaStoreEventListener;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.SQLCheckConstraint;
import org.apache.hadoop.hive.metastore.api.SQLDefaultConstraint;
import org.apache.hadoop.hive.metastore.api.SQLForeignKey;
import org.apache.hadoop.hive.metastore.api.SQLNotNullConstraint;
import org.apache.hadoop.hive.metastore.api.SQLPrimaryKey;
import org.apache.hadoop.hive.metastore.api.SQLUniqueConstraint;
import org.apache.hadoop.hive.metastore.events.AddCheckConstraintEvent;
import org.apache.hadoop.hive.metastore.events.AddDefaultConstraintEvent;
import org.apache.hadoop.hive.metastore.events.AddForeignKeyEvent;
import org.apache.hadoop.hive.metastore.events.AddNotNullConstraintEvent;
import org.apache.hadoop.hive.metastore.events.AddPrimaryKeyEvent;
import org.apache.hadoop.hive.metastore.events.AddUniqueConstraintEvent;
import org.apache.hadoop.hive.metastore.events.DropConstraintEvent;
import org.apache.hadoop.hive.metastore.events.ListenerEvent;
import org.apache.hadoop.hive.metastore.messaging.EventMessage;
import org.apache.hadoop.hive.metastore.messaging.EventMessage.EventType;
import org.apache.hadoop.hive.metastore.messaging.MessageBuilder;

/** Writes the events of a table's constraints, as Hive's DbNotificationListener does. */
abstract class ConstraintListener extends TransactionalMetaStoreEventListener {
  private static final MessageBuilder BUILD = MessageBuilder.getInstance();

  ConstraintListener(Configuration conf) {
    super(conf);
  }

  /** Adds an event in the transaction of its cause. */
  abstract void add(ListenerEvent cause, EventType type, EventMessage message, String catalog, String database,
      String table) throws MetaException;

  @Override
  public void onAddPrimaryKey(AddPrimaryKeyEvent event) throws MetaException {
    List<SQLPrimaryKey> added = event.getPrimaryKeyCols();
    add(event, EventType.ADD_PRIMARYKEY, BUILD.buildAddPrimaryKeyMessage(added), added.get(0).getCatName(),
        added.get(0).getTable_db(), added.get(0).getTable_name());
  }

  @Override
  public void onAddForeignKey(AddForeignKeyEvent event) throws MetaException {
    List<SQLForeignKey> added = event.getForeignKeyCols();
    add(event, EventType.ADD_FOREIGNKEY, BUILD.buildAddForeignKeyMessage(added), added.get(0).getCatName(),
        added.get(0).getFktable_db(), added.get(0).getFktable_name());
  }

  @Override
  public void onAddUniqueConstraint(AddUniqueConstraintEvent event) throws MetaException {
    List<SQLUniqueConstraint> added = event.getUniqueConstraintCols();
    add(event, EventType.ADD_UNIQUECONSTRAINT, BUILD.buildAddUniqueConstraintMessage(added), added.get(0).getCatName(),
        added.get(0).getTable_db(), added.get(0).getTable_name());
  }

  @Override
  public void onAddNotNullConstraint(AddNotNullConstraintEvent event) throws MetaException {
    List<SQLNotNullConstraint> added = event.getNotNullConstraintCols();
    add(event, EventType.ADD_NOTNULLCONSTRAINT, BUILD.buildAddNotNullConstraintMessage(added), added.get(0).getCatName(),
        added.get(0).getTable_db(), added.get(0).getTable_name());
  }

  @Override
  public void onAddDefaultConstraint(AddDefaultConstraintEvent event) throws MetaException {
    List<SQLDefaultConstraint> added = event.getDefaultConstraintCols();
    add(event, EventType.ADD_DEFAULTCONSTRAINT, BUILD.buildAddDefaultConstraintMessage(added), added.get(0).getCatName(),
        added.get(0).getTable_db(), added.get(0).getTable_name());
  }

  @Override
  public void onAddCheckConstraint(AddCheckConstraintEvent event) throws MetaException {
    List<SQLCheckConstraint> added = event.getCheckConstraintCols();
    add(event, EventType.ADD_CHECKCONSTRAINT, BUILD.buildAddCheckConstraintMessage(added), added.get(0).getCatName(),
        added.get(0).getTable_db(), added.get(0).getTable_name());
  }

  @Override
  public void onDropConstraint(DropConstraintEvent event) throws MetaException {
    add(event, EventType.DROP_CONSTRAINT, BUILD.buildDropConstraintMessage(event.getDbName(), event.getTableName(),
        event.getConstraintName()), event.getCatName(), event.getDbName(), event.getTableName());
  }
}
