package lakeproof;

import java.io.IOException;
import java.io.StringWriter;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.JsonUtil;
import org.apache.iceberg.shaded.com.fasterxml.jackson.core.JsonGenerator;

/** The rows of a table by Iceberg's generic reader, in one answer. */
public final class TableRows {
  private TableRows() {}

  /** {@code [[1,"a"],[2,"b"]]}, in the reader's order. */
  public static String read(Table table) throws IOException {
    return read(IcebergGenerics.read(table));
  }

  /** The same at a snapshot. */
  public static String read(Table table, long snapshot) throws IOException {
    return read(IcebergGenerics.read(table).useSnapshot(snapshot));
  }

  /** The same of a branch, which is read by the table's current schema. */
  public static String readBranch(Table table, String branch) throws IOException {
    Table there =
        new BaseTable(((HasTableOperations) table).operations(), table.name()) {
          @Override
          public TableScan newScan() {
            return super.newScan().useRef(branch);
          }
        };
    return read(IcebergGenerics.read(there));
  }

  private static String read(IcebergGenerics.ScanBuilder scan) throws IOException {
    StringWriter text = new StringWriter();
    try (CloseableIterable<Record> records = scan.build();
        JsonGenerator json = JsonUtil.factory().createGenerator(text)) {
      json.writeStartArray();
      for (Record each : records) {
        json.writeStartArray();
        json.writeObject(each.getField("id"));
        json.writeObject(each.getField("v"));
        json.writeEndArray();
      }
      json.writeEndArray();
    }
    return text.toString();
  }
}
