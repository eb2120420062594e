package lakeproof;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hudi.client.transaction.lock.FileSystemBasedLockProvider;
import org.apache.hudi.common.config.LockConfiguration;
import org.apache.hudi.common.lock.LockProvider;
import org.apache.hudi.common.util.ReflectionUtils;
import org.apache.hudi.exception.HoodieIOException;
import org.apache.hudi.exception.HoodieLockException;
import org.apache.hudi.storage.StorageConfiguration;

/**
 * A lock provider of Hudi's own, with each call that changes the lock passing the storage gate before it is made.
 *
 * <p>A try never waits inside the provider, and the gate is passed outside of the provider's monitors. So no actor is
 * ever stuck where the harness cannot see it. A lock that is a file is gated as the file is: created by a try, unless it
 * exists, deleted by a release, and deleted by a close; what fails there is told as Hudi's provider of such locks does.
 */
public final class GatedLock implements LockProvider<Object> {
  public static final String DELEGATE = "lakeproof.lock.provider";
  public static final String PATH = "lakeproof.lock.path";
  private final LockProvider<?> provider;
  private final String path;
  private final boolean isFile;
  private final boolean expires;

  public GatedLock(LockConfiguration configuration, StorageConfiguration<?> storage) {
    path = configuration.getConfig().getString(PATH);
    expires = configuration.getConfig().getInteger(LockConfiguration.FILESYSTEM_LOCK_EXPIRE_PROP_KEY, 0) > 0;
    provider = (LockProvider<?>) ReflectionUtils.loadClass(
        configuration.getConfig().getString(DELEGATE),
        new Class<?>[] {LockConfiguration.class, StorageConfiguration.class}, configuration, storage);
    isFile = provider instanceof FileSystemBasedLockProvider;
  }

  private boolean pass(String operation, boolean step, StorageGate.Body<Boolean> body) throws IOException {
    try {
      return step ? StorageGate.pass(operation, path + purpose(), body) : StorageGate.inside(body);
    } finally {
      if (!isFile && StorageGate.isDead()) {
        provider.unlock(); // the memory of a process that died holds no lock
      }
    }
  }

  /** A rollback takes the lock once more, to claim its instant with a heartbeat. Only the caller's frames tell. */
  private static String purpose() {
    return StackWalker.getInstance().walk(frames ->
        frames.anyMatch(frame -> frame.getMethodName().startsWith("acquireRollbackHeartbeat"))) ? "/claim" : "";
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    boolean step = !isFile || expires || !new File(path).exists();
    try {
      return pass(isFile ? "create" : "try_lock", step, () -> {
        try {
          return provider.tryLock(0, unit);
        } catch (InterruptedException error) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException(error.getMessage());
        }
      });
    } catch (IOException error) {
      if (isFile && !StorageGate.isDead()) {
        return false; // so the provider answers an error of its file
      }
      throw new HoodieLockException("lock: " + error.getMessage(), error);
    }
  }

  @Override
  public void unlock() {
    try {
      pass(isFile ? "delete" : "unlock", !isFile || new File(path).exists(), () -> {
        provider.unlock();
        return true;
      });
    } catch (IOException error) {
      String message = "unlock: " + error.getMessage();
      throw isFile ? new HoodieIOException(message, error) : new HoodieLockException(message, error);
    }
  }

  @Override
  public void close() {
    try {
      pass("delete", isFile, () -> {
        boolean existed = new File(path).exists();
        provider.close();
        return existed;
      });
    } catch (IOException error) {
      throw new HoodieLockException("close: " + error.getMessage(), error);
    }
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
