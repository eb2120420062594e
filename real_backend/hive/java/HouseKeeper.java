package lakeproof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.MetastoreTaskThread;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.apache.hadoop.hive.metastore.txn.TxnUtils;

/**
 * A metastore's task that does what AcidHouseKeeperService and AcidTxnCleanerService do, each part when it is told to: the
 * driver, whose port is in the settings, is connected to at the start and sends one line at a time. Each is answered by
 * "done", or by what went wrong.
 *
 *   time_out         transactions that were silent for too long are aborted
 *   clean_write_set  the changes that nobody can conflict with any more are forgotten
 *   clean_write_ids  the write ids that everybody calls committed are
 *   clean_txns       transactions that have ended and have nothing recorded are
 */
public class HouseKeeper implements MetastoreTaskThread {
  private static final long FIRST_AFTER_MS = 100;
  private Configuration settings;

  @Override
  public void setConf(Configuration settings) {
    this.settings = settings;
  }

  @Override
  public Configuration getConf() {
    return settings;
  }

  @Override
  public long runFrequency(TimeUnit unit) {
    return unit.convert(FIRST_AFTER_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void run() {
    TxnStore store = TxnUtils.getTxnStore(settings);
    try (Socket driver = new Socket(InetAddress.getLoopbackAddress(), settings.getInt("lakeproof.control", 0));
        BufferedReader in = new BufferedReader(new InputStreamReader(driver.getInputStream()));
        PrintWriter out = new PrintWriter(driver.getOutputStream(), true)) {
      for (String line; (line = in.readLine()) != null; ) {
        out.println(done(store, line.trim()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String done(TxnStore store, String part) {
    try {
      switch (part) {
        case "time_out" -> store.performTimeOuts();
        case "clean_write_set" -> store.performWriteSetGC();
        case "clean_write_ids" -> store.cleanTxnToWriteIdTable();
        case "clean_txns" -> store.cleanEmptyAbortedAndCommittedTxns();
        default -> throw new MetaException("expected a part of the house keeper's work, got " + part);
      }
      return "done";
    } catch (MetaException | RuntimeException e) {
      return String.valueOf(e).replace('\n', ' ');
    }
  }
}
