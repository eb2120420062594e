package lakeproof;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * A table's operations, of which those that a race is about are asked of the gate: {@code refresh}, {@code commit} and
 * the ids of snapshots. The others are the real operations' own, without a call of Python.
 */
public final class GatedOperations implements TableOperations {
  private final TableOperations gate;
  private volatile TableOperations real;

  public GatedOperations(TableOperations gate, TableOperations real) {
    this.gate = gate;
    this.real = real;
  }

  /** Other real operations from now on. */
  public void follow(TableOperations other) {
    this.real = other;
  }

  @Override
  public TableMetadata refresh() {
    return gate.refresh();
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    gate.commit(base, metadata);
  }

  @Override
  public long newSnapshotId() {
    return gate.newSnapshotId();
  }

  @Override
  public TableMetadata current() {
    return real.current();
  }

  @Override
  public FileIO io() {
    return real.io();
  }

  @Override
  public EncryptionManager encryption() {
    return real.encryption();
  }

  @Override
  public String metadataFileLocation(String name) {
    return real.metadataFileLocation(name);
  }

  @Override
  public LocationProvider locationProvider() {
    return real.locationProvider();
  }

  @Override
  public TableOperations temp(TableMetadata uncommitted) {
    return real.temp(uncommitted);
  }

  @Override
  public boolean requireStrictCleanup() {
    return real.requireStrictCleanup();
  }
}
