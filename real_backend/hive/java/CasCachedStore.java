package lakeproof;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.cache.CachedStore;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;

/**
 * The shipped cache, and its repair behind a switch. CachedStore 4.0.1 does not hand an alter's expected parameter down
 * to the store below, so every compare-and-swap through a cached metastore fails.
 *
 * Its two lists of what to cache are settings, read whenever a store is made. The driver has them changed between two
 * runs, so that one metastore serves runs of several settings: they are put into each store's settings, and CachedStore
 * reads them as it reads its own.
 */
public class CasCachedStore extends CachedStore {
  private static final Map<ConfVars, String> LISTS = new ConcurrentHashMap<>();

  static void allow(String patterns) {
    set(ConfVars.CACHED_RAW_STORE_CACHED_OBJECTS_WHITELIST, patterns);
  }

  static void deny(String patterns) {
    set(ConfVars.CACHED_RAW_STORE_CACHED_OBJECTS_BLACKLIST, patterns);
  }

  /** From now on this is the setting, also of stores that there are: they share what was read last. */
  private static void set(ConfVars property, String patterns) {
    LISTS.put(property, patterns);
    try {
      var read = CachedStore.class.getDeclaredMethod("initBlackListWhiteList", Configuration.class);
      read.setAccessible(true);
      read.invoke(null, withLists(new Configuration(false)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static Configuration withLists(Configuration settings) {
    LISTS.forEach((property, patterns) -> MetastoreConf.setVar(settings, property, patterns));
    return settings;
  }

  @Override
  public void setConf(Configuration settings) {
    super.setConf(withLists(settings));
  }

  @Override
  public long updateParameterWithExpectedValue(Table table, String key, String expected, String value)
      throws MetaException, NoSuchObjectException {
    return WatermarkStore.passesExpected()
        ? getRawStore().updateParameterWithExpectedValue(table, key, expected, value)
        : super.updateParameterWithExpectedValue(table, key, expected, value);
  }
}
