package lakeproof;

import java.lang.reflect.Field;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.exception.HoodieEarlyConflictDetectionException;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.timeline.service.handlers.MarkerHandler;
import org.apache.hudi.timeline.service.handlers.marker.AsyncTimelineServerBasedDetectionStrategy;
import org.apache.hudi.timeline.service.handlers.marker.MarkerBasedEarlyConflictDetectionRunnable;

/**
 * Hudi's asynchronous strategy with its first pass at one moment: when the marker that began it waits to be written.
 *
 * <p>Hudi starts that pass on a timer thread beside the request, so that it may also come before the request is queued,
 * and find nothing. The pass is Hudi's own; whoever writes the marker waits for its end. No other pass comes: between two
 * of them are thirty seconds, and a gated run is over by then.
 */
public final class GatedDetection extends AsyncTimelineServerBasedDetectionStrategy {
  private static final long NEVER_MS = 86_400_000L;
  private static final long AT_MOST_S = 60L;
  private volatile CountDownLatch over = new CountDownLatch(0);
  private volatile Thread asking;

  public GatedDetection(String basePath, String markerDir, String markerName, Boolean checkCommitConflict) {
    super(basePath, markerDir, markerName, checkCommitConflict);
  }

  @Override
  public void startAsyncDetection(
      Long delayMs, Long periodMs, String markerDir, String basePath, Long toleranceMs, HoodieStorage storage,
      Object handler, Set<HoodieInstant> completed) {
    super.startAsyncDetection(NEVER_MS, NEVER_MS, markerDir, basePath, toleranceMs, storage, handler, completed);
    MarkerHandler markers = (MarkerHandler) handler;
    Runnable pass = new MarkerBasedEarlyConflictDetectionRunnable(
        flag(), markers, markerDir, basePath, storage, toleranceMs, completed, checkCommitConflict);
    CountDownLatch end = new CountDownLatch(1);
    over = end;
    asking = Thread.currentThread();
    Thread checker = new Thread(() -> {
      try {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(AT_MOST_S);
        while (markers.getPendingMarkersToProcess(markerDir).isEmpty() && System.nanoTime() < deadline) {
          Thread.sleep(1);
        }
        pass.run();
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
      } finally {
        end.countDown();
      }
    }, "lakeproof-pass");
    checker.setDaemon(true);
    checker.start();
  }

  @Override
  public void detectAndResolveConflictIfNecessary() throws HoodieEarlyConflictDetectionException {
    if (Thread.currentThread() != asking) {
      try {
        over.await(AT_MOST_S, TimeUnit.SECONDS);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
      }
    }
    super.detectAndResolveConflictIfNecessary();
  }

  private AtomicBoolean flag() {
    try {
      Field field = AsyncTimelineServerBasedDetectionStrategy.class.getDeclaredField("hasConflict");
      field.setAccessible(true);
      return (AtomicBoolean) field.get(this);
    } catch (ReflectiveOperationException error) {
      throw new HoodieException("hasConflict: expected the flag of Hudi 1.2.0", error);
    }
  }
}
