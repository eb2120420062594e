package lakeproof;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.cache.CachedStore;
import org.apache.hadoop.hive.metastore.cache.SharedCache;

/**
 * Makes the cache of this process what it is when a process starts: everything that CachedStore keeps, it keeps in static
 * fields. Its update thread ends, the cache is a new one without anything in it, nothing is prewarmed, the position in
 * the log is none; then the update thread is started as the first store of a process starts it, and prewarms.
 */
final class CacheRestart {
  private static final long END_S = 15;

  private CacheRestart() {
  }

  /** Start anew with these settings; to be held, the prewarm must have been asked to stand still before. */
  static void run(Configuration settings, Runnable beforeStart) {
    try {
      end((ExecutorService) field(CachedStore.class, "cacheUpdateMaster").get(null));
      end((ExecutorService) field(SharedCache.class, "executor").get(CachedStore.getSharedCache()));
      SharedCache empty = new SharedCache();
      empty.initialize(settings);
      field(CachedStore.class, "sharedCache").set(null, empty);
      for (String flag : new String[] {"isCachePrewarmed", "isCachedAllMetadata"}) {
        ((AtomicBoolean) field(CachedStore.class, flag).get(null)).set(false);
      }
      field(CachedStore.class, "lastEventId").setLong(null, 0);
      field(CachedStore.class, "cacheUpdateMaster").set(null, null);
      beforeStart.run();
      Method start = CachedStore.class.getDeclaredMethod("startCacheUpdateService", Configuration.class, boolean.class,
          boolean.class);
      start.setAccessible(true);
      start.invoke(null, settings, false, true);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void end(ExecutorService threads) throws InterruptedException {
    threads.shutdown();
    if (!threads.awaitTermination(END_S, TimeUnit.SECONDS)) {
      throw new IllegalStateException("update thread: expected it to end within " + END_S + " s, it did not");
    }
  }

  private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
    Field found = owner.getDeclaredField(name);
    found.setAccessible(true);
    return found;
  }
}
