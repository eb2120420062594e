package lakeproof;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.cache.SharedCache;

/**
 * Where the timer of a cache in its default mode stands still: before each part of a refresh, until the driver lets it go
 * on. It holds no lock there, so that clients are answered.
 *
 * The parts are named as the simulator names its steps: "poll" reads the names of the tables, the first time in a
 * refresh after the databases, "refresh_table" one of them, "refresh_check" looks whether the cache was changed
 * meanwhile, "apply" replaces what there is in the cache, "refresh_names" reads the names again, "refresh_partitions"
 * the partitions of one table.
 *
 * A cache that is filled for the first time, in its event mode, too, stands still before "prewarm", which reads the
 * position in the log and then the names of the tables, and before "prewarm_table", which reads one of them and puts it
 * into the cache. The thread holds its class's monitor there, so that nobody who connects or commits is answered.
 *
 * Between the look and the replacement the store below is not asked anything. The thread is caught there as it asks the
 * first table for its name, or, without tables, for the cache's lock. If the first table has been dropped meanwhile, it
 * is asked for its name in vain: the refresh ends, and the next one stands still before it begins.
 */
final class TimerGate {
  static final List<String> POINTS =
      List.of("", "poll", "refresh_table", "refresh_check", "apply", "refresh_names", "refresh_partitions", "prewarm",
          "prewarm_table");
  private static boolean wanted;
  private static boolean held;
  private static boolean checked;
  private static boolean begun;
  private static int at;
  private static String only = "";

  private TimerGate() {
  }

  /**
   * From the next refresh on: if `holds`, refresh this database alone, and stand still before each part; else refresh
   * every database, but the tables of this one alone.
   */
  static synchronized void follow(String database, boolean holds) {
    only = database;
    wanted = holds;
    if (!holds) {
      held = false;
      go();
    }
  }

  /** Let the thread go on to its next part. */
  static synchronized void go() {
    at = 0;
    TimerGate.class.notifyAll();
  }

  /** Where the thread stands: a place in `POINTS`, 0 if it does not. */
  static synchronized int at() {
    return at;
  }

  /** Whether tables of this database are refreshed. */
  static synchronized boolean follows(String database) {
    return only.isEmpty() || only.equals(database);
  }

  /** A refresh begins, with the databases. */
  static void begin() {
    if (isChecked()) {
      stop("apply");
    }
    synchronized (TimerGate.class) {
      checked = false;
      held = wanted;
      stop("poll");
      begun = true;
    }
  }

  /** The names of tables are about to be read: by a refresh that has just begun, or once more. */
  static synchronized void readNames() {
    if (!begun) {
      stop("poll");
    }
    begun = false;
  }

  /** Those of these databases that are to be refreshed. */
  static synchronized List<String> left(List<String> databases) {
    List<String> left = new ArrayList<>(databases);
    left.removeIf(name -> held && !name.equals(only));
    return left;
  }

  /** A cache begins to be filled. */
  static synchronized void beginPrewarm() {
    held = wanted;
    stop("prewarm");
  }

  /** Stand still here, if that is asked for. */
  static synchronized void stop(String point) {
    if (!held) {
      return;
    }
    at = POINTS.indexOf(point);
    checked = point.equals("refresh_check");
    while (held && at != 0) {
      try {
        TimerGate.class.wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static synchronized boolean isChecked() {
    return checked;
  }

  private static void stopBeforeReplacement() {
    if (WatermarkStore.isUpdateThread() && isChecked()) {
      stop("apply");
    }
  }

  /** Names, sorted; whoever has come to their end is about to look whether the cache was changed. */
  static List<String> names(List<String> found) {
    List<String> sorted = new ArrayList<>(found) {
      @Override
      public Iterator<String> iterator() {
        Iterator<String> all = super.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            if (!all.hasNext()) {
              stop("refresh_check");
            }
            return all.hasNext();
          }

          @Override
          public String next() {
            return all.next();
          }
        };
      }
    };
    sorted.sort(null);
    return sorted;
  }

  /** The table, which says when it is asked for its name to be put into the cache. */
  static Table table(Table found) {
    return found == null ? null : new Table(found) {
      @Override
      public String getTableName() {
        stopBeforeReplacement();
        return super.getTableName();
      }
    };
  }

  /** Let the cache's lock say when it is asked for. To be called before the cache is used. */
  static void watchLock() throws ReflectiveOperationException {
    Field lock = SharedCache.class.getDeclaredField("cacheLock");
    lock.setAccessible(true);
    lock.set(null, new ReentrantReadWriteLock(true) {
      @Override
      public WriteLock writeLock() {
        stopBeforeReplacement();
        return super.writeLock();
      }
    });
  }
}
