package lakeproof;

import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.cache.CachedStore;

/**
 * The shipped cache, and its repair behind a switch. CachedStore 4.0.1 does not hand an alter's expected parameter down
 * to the store below, so every compare-and-swap through a cached metastore fails.
 */
public class CasCachedStore extends CachedStore {
  @Override
  public long updateParameterWithExpectedValue(Table table, String key, String expected, String value)
      throws MetaException, NoSuchObjectException {
    return WatermarkStore.passesExpected()
        ? getRawStore().updateParameterWithExpectedValue(table, key, expected, value)
        : super.updateParameterWithExpectedValue(table, key, expected, value);
  }
}
