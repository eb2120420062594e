package lakeproof;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's local file system, whose next look, rename or delete of what a Hadoop catalog keeps can be made to fail.
 *
 * <p>Its renames replace what is there. The system property {@code lakeproof.fails} says which: "look", "rename" or "delete", a space, and "before" or
 * "after" it was done. It is taken away by the call that fails. The values of {@code lakeproof.hints} and {@code lakeproof.renames} are
 * asked when the next hint at a version begins to be written, and before the next rename to a version, once; "before" makes
 * that fail, and so does "after" when the rename was made.
 */
public final class FailingFileSystem extends LocalFileSystem {
  private static final String FAILS = "lakeproof.fails";
  private static final String HINTS = "lakeproof.hints";
  private static final String RENAMES = "lakeproof.renames";

  private static boolean fails(String call) {
    if (!call.equals(System.getProperty(FAILS))) {
      return false;
    }
    System.clearProperty(FAILS);
    return true;
  }

  private static void fail(String call) throws IOException {
    if (fails(call)) {
      throw new IOException("injected: " + call);
    }
  }

  private static boolean isVersion(Path path) {
    return path.getName().matches("v\\d+\\.metadata\\.json");
  }

  private static Object point(String name, String call) throws IOException {
    Object waits = System.getProperties().remove(name);
    Object fault = waits instanceof Supplier ? ((Supplier<?>) waits).get() : null;
    if ("before".equals(fault)) {
      throw new IOException("injected: " + call + " before");
    }
    return fault;
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    if (path.getName().endsWith("-version-hint.temp")) {
      point(HINTS, "hint");
    }
    return super.create(
        path, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    if (isVersion(path)) {
      fail("look before");
    }
    return super.getFileStatus(path);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (!isVersion(to)) {
      return super.rename(from, to);
    }
    Object fault = point(RENAMES, "rename");
    fail("rename before");
    boolean done = super.rename(from, to);
    fail("rename after");
    if ("after".equals(fault)) {
      throw new IOException("injected: rename after");
    }
    return done;
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    if (!recursive) {
      return super.delete(path, false);
    }
    fail("delete before");
    boolean done = super.delete(path, true);
    fail("delete after");
    return done;
  }
}
