package lakeproof;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * Hadoop's local file system with every operation passing the storage gate ({@code fs.file.impl}).
 *
 * <p>A {@code LocalFileSystem}, for {@code FileSystem.getLocal} casts to it. Checksum files are off: they would double
 * the operations and are no part of any protocol.
 */
public final class GatedLocalFileSystem extends LocalFileSystem {
  public GatedLocalFileSystem() {
    super(new Raw());
    setWriteChecksum(false);
    setVerifyChecksum(false);
  }

  /** The operations themselves. */
  public static final class Raw extends RawLocalFileSystem {
    private static String name(Path path) {
      return path.toUri().getPath();
    }

    /** The files of a timeline server's markers, which are written over: opening and closing one are two steps. */
    private static final Pattern MARKERS = Pattern.compile("/\\.temp/\\d+/MARKERS\\d+$");

    /** Counts what is written; the file is whole when the stream is closed. */
    private static final class Counted extends FilterOutputStream {
      private final String name;
      private long bytes;
      private boolean closed;

      Counted(OutputStream out, String name) {
        super(out);
        this.name = name;
      }

      @Override
      public void write(int one) throws IOException {
        out.write(one);
        bytes++;
      }

      @Override
      public void write(byte[] data, int offset, int length) throws IOException {
        out.write(data, offset, length);
        bytes += length;
      }

      @Override
      public void close() throws IOException {
        if (closed) {
          super.close();
          return;
        }
        closed = true;
        if (MARKERS.matcher(name).find()) {
          StorageGate.pass("close", name, () -> {
            super.close();
            return true;
          });
        } else {
          super.close();
        }
        StorageGate.note("written", name, bytes);
      }
    }

    @Override
    public FSDataOutputStream create(
        Path file, boolean overwrite, int buffer, short replication, long block, Progressable progress)
        throws IOException {
      return StorageGate.pass(overwrite ? "write" : "create", name(file), () ->
          new FSDataOutputStream(
              new Counted(super.create(file, overwrite, buffer, replication, block, progress), name(file)), null));
    }

    @Override
    public FSDataOutputStream create(
        Path file, FsPermission permission, boolean overwrite, int buffer, short replication, long block,
        Progressable progress) throws IOException {
      return StorageGate.pass(overwrite ? "write" : "create", name(file), () ->
          new FSDataOutputStream(
              new Counted(super.create(file, permission, overwrite, buffer, replication, block, progress), name(file)),
              null));
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
      return StorageGate.pass("rename", name(to), () -> super.rename(from, to));
    }

    @Override
    public boolean delete(Path file, boolean recursive) throws IOException {
      return StorageGate.pass("delete", name(file), () -> super.delete(file, recursive));
    }

    @Override
    public boolean mkdirs(Path folder) throws IOException {
      return StorageGate.pass("mkdirs", name(folder), () -> super.mkdirs(folder));
    }

    @Override
    public FileStatus[] listStatus(Path folder) throws IOException {
      return StorageGate.pass("list", name(folder), () -> super.listStatus(folder));
    }

    @Override
    public FileStatus getFileStatus(Path file) throws IOException {
      return StorageGate.pass("exists", name(file), () -> super.getFileStatus(file));
    }

    @Override
    public FSDataInputStream open(Path file, int buffer) throws IOException {
      return StorageGate.pass("read", name(file), () -> super.open(file, buffer));
    }
  }
}
