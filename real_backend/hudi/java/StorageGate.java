package lakeproof;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;

/**
 * Where the storage layer and the lock provider meet the harness: each operation below one folder is recorded and, if it
 * is one of the watched ones, reported before and after. The listener's answer lets it go on or fails it.
 *
 * <p>No monitor is held while a listener is called, for it may keep the caller as long as it likes.
 */
public final class StorageGate {
  /** The harness. Both calls come on the thread of the operation. */
  public interface Listener {
    /**
     * Null lets the operation go on. "after" performs it and then fails it; "crash" and "crash-after" also make the
     * actor's process dead; any other answer fails it unperformed.
     */
    String before(String actor, boolean helper, String operation, String path);

    /** The operation is over; {@code outcome} is "ok", "no" or the simple name of what was thrown. */
    void after(String actor, boolean helper, String operation, String path, String outcome);
  }

  /** An operation's body. */
  interface Body<T> {
    T run() throws IOException;
  }

  private static final class Run {
    final String root;
    final Set<String> watched;
    final Listener listener;
    final Set<String> dead = ConcurrentHashMap.newKeySet();
    final List<String> record = new ArrayList<>();
    final long start = System.nanoTime();

    Run(String root, Set<String> watched, Listener listener) {
      this.root = root;
      this.watched = watched;
      this.listener = listener;
    }
  }

  public static final String ACTOR = "lakeproof.actor";
  private static final ThreadLocal<Boolean> MAIN = new ThreadLocal<>();
  private static final ThreadLocal<Boolean> INSIDE = new ThreadLocal<>();
  private static final NavigableSet<String> OVER = new ConcurrentSkipListSet<>();
  private static volatile SparkContext context;
  private static volatile Run run;

  private StorageGate() {}

  /** Begin a run: operations below {@code root} are recorded, those named in {@code watched} (by spaces) reported. */
  public static void install(String root, String watched, Listener listener) {
    run = new Run(root, Set.of(watched.split(" ")), listener);
  }

  /** End the run; nothing is recorded or held any more. */
  public static void uninstall() {
    run = null;
  }

  /** Fail every operation below {@code root} from now on: whoever outlives a run leaves nothing where it was. */
  public static void forbid(String root) {
    OVER.add(root + "/");
  }

  private static boolean isOver(String path) {
    String root = OVER.floor(path);
    return root != null && path.startsWith(root);
  }

  /** The calling thread acts for this actor from now on, and so do the threads and tasks that it starts. */
  public static void act(SparkContext spark, String actor) {
    MAIN.set(Boolean.TRUE);
    context = spark;
    spark.setLocalProperty(ACTOR, actor);
  }

  /** Lines of ms, actor, operation, path below the root, outcome, bytes; tabs between. */
  public static String record() {
    Run now = run;
    if (now == null) {
      return "";
    }
    synchronized (now.record) {
      return String.join("\n", now.record);
    }
  }

  static String actor() {
    TaskContext task = TaskContext.get();
    SparkContext spark = context;
    String found = null;
    if (task != null) {
      found = task.getLocalProperty(ACTOR);
    } else if (spark != null) {
      found = spark.getLocalProperty(ACTOR);
    }
    return found == null ? "-" : found;
  }

  private static boolean isHelper() {
    return TaskContext.get() == null && MAIN.get() == null;
  }

  /** Note what an operation has done that is over already, such as the size of a file at its end. */
  static void note(String operation, String path, long bytes) {
    Run now = run;
    if (now != null && path.startsWith(now.root)) {
      add(now, actor(), operation, path.substring(now.root.length()), "ok", bytes);
    }
  }

  /** Whether the calling actor's process is dead. */
  static boolean isDead() {
    Run now = run;
    return now != null && now.dead.contains(actor());
  }

  /** Do what is part of no step of its own, unless the actor's process is dead. */
  static <T> T inside(Body<T> body) throws IOException {
    if (isDead()) {
      throw new IOException("the process of " + actor() + " is dead");
    }
    Boolean before = INSIDE.get();
    INSIDE.set(Boolean.TRUE);
    try {
      return body.run();
    } finally {
      INSIDE.set(before);
    }
  }

  private static void add(Run now, String who, String operation, String path, String outcome, long bytes) {
    long ms = (System.nanoTime() - now.start) / 1_000_000L;
    synchronized (now.record) {
      now.record.add(String.join("\t", "" + ms, who, operation, path, outcome, "" + bytes));
    }
  }

  /** Perform an operation as the harness says. An operation within another one is part of that one. */
  static <T> T pass(String operation, String path, Body<T> body) throws IOException {
    Run now = run;
    if (isOver(path)) {
      throw new IOException(path + ": the run is over");
    }
    if (now == null || INSIDE.get() != null || !path.startsWith(now.root)) {
      return body.run();
    }
    String who = actor();
    String below = path.substring(now.root.length());
    if (now.dead.contains(who)) {
      throw new IOException("the process of " + who + " is dead");
    }
    boolean helper = isHelper();
    boolean watched = now.listener != null && now.watched.contains(operation);
    String fault = watched ? now.listener.before(who, helper, operation, below) : null;
    String outcome = "ok";
    INSIDE.set(Boolean.TRUE);
    try {
      if (fault != null && fault.startsWith("crash")) {
        now.dead.add(who);
      }
      if (fault != null && !fault.endsWith("after")) {
        throw new IOException("injected: " + fault);
      }
      T result = body.run();
      outcome = Boolean.FALSE.equals(result) ? "no" : "ok";
      if (fault != null) {
        throw new IOException("injected: " + fault);
      }
      return result;
    } catch (IOException | RuntimeException error) {
      outcome = error.getClass().getSimpleName();
      throw error;
    } finally {
      INSIDE.remove();
      add(now, who, operation, below, outcome, 0);
      if (watched) {
        now.listener.after(who, helper, operation, below, outcome);
      }
    }
  }
}
