package lakeproof;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hudi.common.config.LockConfiguration;
import org.apache.hudi.common.lock.LockProvider;
import org.apache.hudi.common.util.ReflectionUtils;
import org.apache.hudi.exception.HoodieLockException;
import org.apache.hudi.storage.StorageConfiguration;

/**
 * A lock provider of Hudi's own, with each call passing the storage gate as an operation on the table's lock.
 *
 * <p>A try never waits inside the provider: the one who gets no lock comes back for the next try, which is a step again.
 * So no actor is ever stuck where the harness cannot see it.
 */
public final class GatedLock implements LockProvider<Object> {
  public static final String DELEGATE = "lakeproof.lock.provider";
  public static final String NAME = "lakeproof.lock.name";
  private final LockProvider<?> provider;
  private final String name;

  public GatedLock(LockConfiguration configuration, StorageConfiguration<?> storage) {
    name = configuration.getConfig().getString(NAME);
    provider = (LockProvider<?>) ReflectionUtils.loadClass(
        configuration.getConfig().getString(DELEGATE),
        new Class<?>[] {LockConfiguration.class, StorageConfiguration.class}, configuration, storage);
  }

  private boolean pass(String operation, StorageGate.Body<Boolean> body) {
    try {
      return StorageGate.pass(operation, name, body);
    } catch (IOException error) {
      throw new HoodieLockException(operation + ": " + error.getMessage(), error);
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    return pass("lock", () -> {
      try {
        return provider.tryLock(0, unit);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException(error.getMessage());
      }
    });
  }

  @Override
  public void unlock() {
    pass("unlock", () -> {
      provider.unlock();
      return true;
    });
  }

  @Override
  public void close() {
    pass("close", () -> {
      provider.close();
      return true;
    });
  }

  @Override
  public Object getLock() {
    return provider.getLock();
  }

  @Override
  public String getCurrentOwnerLockInfo() {
    return provider.getCurrentOwnerLockInfo();
  }
}
