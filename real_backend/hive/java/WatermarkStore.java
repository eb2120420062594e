package lakeproof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import com.google.common.cache.Cache;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.ObjectStore;
import org.apache.hadoop.hive.metastore.api.ColumnStatistics;
import org.apache.hadoop.hive.metastore.api.CurrentNotificationEventId;
import org.apache.hadoop.hive.metastore.api.InvalidObjectException;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.NotificationEvent;
import org.apache.hadoop.hive.metastore.api.NotificationEventRequest;
import org.apache.hadoop.hive.metastore.api.NotificationEventResponse;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.PrimaryKeysRequest;
import org.apache.hadoop.hive.metastore.api.SQLPrimaryKey;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.cache.CacheUtils;
import org.apache.hadoop.hive.metastore.cache.CachedStore;
import org.apache.hadoop.hive.metastore.cache.SharedCache;
import org.apache.hadoop.hive.metastore.client.builder.GetPartitionsArgs;

/**
 * The store below a metastore's cache. It hides the events of the notification log that lie above a watermark, for the
 * update thread and for the pull at the end of a write apart. It never waits: the cache holds its class's monitor while
 * it reads the log, and every new connection needs that monitor.
 *
 * The timer of a cache in its default mode reads no log; it stands still where `TimerGate` holds it.
 *
 * The driver is connected to at the start and sends one line at a time; each is answered by "position polls writes reads
 * at": the last event applied, how often the cache has asked the log or its timer has gone off, how often a replay wrote
 * the database, how many tables, partition lists, statistics and keys clients were given from the database, and before
 * which part of a refresh the timer stands still.
 *
 *   poller N        the update thread may see events up to N
 *   pull N          the pull at the end of a write may
 *   replay on|off   whether the replay of an ALTER_TABLE writes the database (on: as shipped)
 *   expect on|off   whether CasCachedStore hands an expected parameter down (off: as shipped)
 *   evict DB TABLE  the cache loses this table, as one that is full does
 *   allow P, deny P what CachedStore is told to cache, and what not: the patterns of its two properties
 *   timer free DB   nothing holds the timer, which refreshes the tables of this database
 *   timer hold DB   from its next refresh on it does so alone, and stands still before each part
 *   timer go        it goes on to the next part
 *   restart DB      the cache is as at the start of a process, and its prewarm stands still before each part
 *   where           nothing more
 */
public class WatermarkStore extends ObjectStore {
  private static final AtomicLong POLLER = new AtomicLong(Long.MAX_VALUE);
  private static final AtomicLong PULL = new AtomicLong(Long.MAX_VALUE);
  private static final AtomicLong POSITION = new AtomicLong(-1);
  private static final AtomicLong POLLS = new AtomicLong();
  private static final AtomicLong WRITES = new AtomicLong();
  private static final AtomicLong READS = new AtomicLong();
  private static volatile boolean replayWrites = true;
  private static volatile boolean passesExpected = false;
  private static volatile Configuration settings;

  static {
    try {
      TimerGate.watchLock();
      Socket driver = new Socket(InetAddress.getLoopbackAddress(), Integer.getInteger("lakeproof.control"));
      Thread thread = new Thread(() -> serve(driver), "lakeproof-control");
      thread.setDaemon(true);
      thread.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean passesExpected() {
    return passesExpected;
  }

  private static void serve(Socket driver) {
    try (driver; BufferedReader in = new BufferedReader(new InputStreamReader(driver.getInputStream()));
        PrintWriter out = new PrintWriter(driver.getOutputStream(), true)) {
      for (String line; (line = in.readLine()) != null; ) {
        obey(line.trim().split(" "));
        out.println(POSITION + " " + POLLS + " " + WRITES + " " + READS + " " + TimerGate.at());
      }
    } catch (IOException e) {
      // The driver has gone; whoever started this process ends it.
    }
  }

  private static void obey(String[] words) {
    switch (words[0]) {
      case "poller" -> POLLER.set(Long.parseLong(words[1]));
      case "pull" -> PULL.set(Long.parseLong(words[1]));
      case "replay" -> replayWrites = words[1].equals("on");
      case "expect" -> passesExpected = words[1].equals("on");
      case "evict" -> evict(CacheUtils.buildTableKey("hive", words[1], words[2]));
      case "allow" -> CasCachedStore.allow(words.length > 1 ? words[1] : "");
      case "deny" -> CasCachedStore.deny(words.length > 1 ? words[1] : "");
      case "timer" -> obeyOfTimer(words);
      case "restart" -> restart(words[1]);
      default -> { }
    }
  }

  private static void obeyOfTimer(String[] words) {
    if (words[1].equals("go")) {
      TimerGate.go();
    } else {
      TimerGate.follow(words[2], words[1].equals("hold"));
    }
  }

  private static void restart(String database) {
    TimerGate.follow(database, false);
    CacheRestart.run(CasCachedStore.withLists(new Configuration(settings)), () -> TimerGate.follow(database, true));
  }

  private static void evict(String key) {
    try {
      Field cache = SharedCache.class.getDeclaredField("tableCache");
      cache.setAccessible(true);
      ((Cache<?, ?>) cache.get(CachedStore.getSharedCache())).invalidate(key);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean isUpdateThread() {
    return Thread.currentThread().getName().startsWith("CachedStore-CacheUpdateService");
  }

  private static boolean isCalledByCacheUpdate() {
    return isCalledBy("updateUsingNotificationEvents");
  }

  /** Whether the timer asks, in this part of a refresh. */
  private static boolean isRefreshing(String part) {
    return isUpdateThread() && isCalledBy(part) && isCalledBy("run");
  }

  private static boolean isPrewarming() {
    return isUpdateThread() && isCalledBy("triggerPreWarm");
  }

  private static boolean isCalledBy(String method) {
    return StackWalker.getInstance().walk(
        frames -> frames.anyMatch(frame -> frame.getMethodName().equals(method)));
  }

  private static void countRead() {
    boolean client = isCalledBy("get_table_req") || isCalledBy("get_partitions_req")
        || isCalledBy("get_table_statistics_req") || isCalledBy("get_partitions_statistics_req")
        || isCalledBy("get_primary_keys");
    if (client && !isCalledByCacheUpdate()) {
      READS.incrementAndGet();
    }
  }

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    settings = conf;
  }

  @Override
  public CurrentNotificationEventId getCurrentNotificationEventId() {
    if (isPrewarming()) {
      TimerGate.beginPrewarm();
    }
    return super.getCurrentNotificationEventId();
  }

  @Override
  public NotificationEventResponse getNextNotification(NotificationEventRequest request) {
    NotificationEventResponse response = super.getNextNotification(request);
    if (!isCalledByCacheUpdate()) {
      return response;
    }
    long limit = (isUpdateThread() ? POLLER : PULL).get();
    List<NotificationEvent> visible = new ArrayList<>();
    if (response != null && response.getEvents() != null) {
      for (NotificationEvent event : response.getEvents()) {
        if (event.getEventId() <= limit) {
          visible.add(event);
        }
      }
    }
    POSITION.set(request.getLastEvent());
    POLLS.incrementAndGet();
    return new NotificationEventResponse(visible);
  }

  @Override
  public Table alterTable(String catalog, String database, String name, Table table, String writeIds)
      throws InvalidObjectException, MetaException {
    if (isCalledByCacheUpdate()) {
      if (!replayWrites) {
        return table;
      }
      WRITES.incrementAndGet();
    }
    return super.alterTable(catalog, database, name, table, writeIds);
  }

  @Override
  public List<String> getAllDatabases(String catalog) throws MetaException {
    if (!isRefreshing("update")) {
      return super.getAllDatabases(catalog);
    }
    POLLS.incrementAndGet();
    TimerGate.begin();
    return TimerGate.left(super.getAllDatabases(catalog));
  }

  @Override
  public List<String> getAllTables(String catalog, String database) throws MetaException {
    if (isPrewarming()) {
      return TimerGate.follows(database) ? lastFirst(super.getAllTables(catalog, database)) : List.of();
    }
    if (!isRefreshing("update")) {
      return super.getAllTables(catalog, database);
    }
    if (!TimerGate.follows(database)) {
      return List.of();
    }
    if (isCalledBy("updateTables")) {
      TimerGate.readNames();
      return TimerGate.names(super.getAllTables(catalog, database));
    }
    TimerGate.stop("refresh_names");
    List<String> names = new ArrayList<>(super.getAllTables(catalog, database));
    names.sort(null);
    return names;
  }

  /** A prewarm takes the last name of its list first. */
  private static List<String> lastFirst(List<String> names) {
    List<String> sorted = new ArrayList<>(names);
    sorted.sort(Comparator.reverseOrder());
    return sorted;
  }

  @Override
  public Table getTable(String catalog, String database, String name) throws MetaException {
    if (isRefreshing("updateTables")) {
      TimerGate.stop("refresh_table");
      return TimerGate.table(super.getTable(catalog, database, name));
    }
    if (isPrewarming()) {
      TimerGate.stop("prewarm_table");
    }
    return super.getTable(catalog, database, name);
  }

  @Override
  public Table getTable(String catalog, String database, String name, String writeIds) throws MetaException {
    countRead();
    return super.getTable(catalog, database, name, writeIds);
  }

  @Override
  public ColumnStatistics getTableColumnStatistics(String catalog, String database, String name, List<String> columns,
      String engine, String writeIds) throws MetaException, NoSuchObjectException {
    countRead();
    return super.getTableColumnStatistics(catalog, database, name, columns, engine, writeIds);
  }

  @Override
  public List<ColumnStatistics> getPartitionColumnStatistics(String catalog, String database, String name,
      List<String> partitions, List<String> columns, String engine, String writeIds)
      throws MetaException, NoSuchObjectException {
    countRead();
    return super.getPartitionColumnStatistics(catalog, database, name, partitions, columns, engine, writeIds);
  }

  @Override
  public List<SQLPrimaryKey> getPrimaryKeys(PrimaryKeysRequest request) throws MetaException {
    countRead();
    return super.getPrimaryKeys(request);
  }

  @Override
  public List<Partition> getPartitions(String catalog, String database, String name, GetPartitionsArgs args)
      throws MetaException, NoSuchObjectException {
    countRead();
    if (isRefreshing("updateTablePartitions")) {
      TimerGate.stop("refresh_partitions");
      List<Partition> found = super.getPartitions(catalog, database, name, args);
      TimerGate.stop("apply");
      return found;
    }
    return super.getPartitions(catalog, database, name, args);
  }
}
