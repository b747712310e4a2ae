package stator.clients;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.extensions.annotations.DynamoDbVersionAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondaryPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondarySortKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** An order as an application would map it: keys, two indexes, a version, and one field of each kind. */
@DynamoDbBean
public class Order {
  private String customer;
  private String id;
  private String status;
  private Instant created;
  private BigDecimal total;
  private Integer priority;
  private Boolean gift;
  private byte[] signature;
  private List<Line> lines;
  private Map<String, String> labels;
  private Set<String> tags;
  private Long version;

  public static Order of(String customer, String id) {
    Order order = new Order();
    order.setCustomer(customer);
    order.setId(id);
    return order;
  }

  @DynamoDbPartitionKey
  public String getCustomer() { return customer; }
  public void setCustomer(String customer) { this.customer = customer; }

  @DynamoDbSortKey
  public String getId() { return id; }
  public void setId(String id) { this.id = id; }

  @DynamoDbSecondaryPartitionKey(indexNames = "by-status")
  public String getStatus() { return status; }
  public void setStatus(String status) { this.status = status; }

  @DynamoDbSecondarySortKey(indexNames = "by-status")
  @DynamoDbAttribute("created_at")
  public Instant getCreated() { return created; }
  public void setCreated(Instant created) { this.created = created; }

  public BigDecimal getTotal() { return total; }
  public void setTotal(BigDecimal total) { this.total = total; }

  @DynamoDbSecondarySortKey(indexNames = "by-priority")
  public Integer getPriority() { return priority; }
  public void setPriority(Integer priority) { this.priority = priority; }

  public Boolean getGift() { return gift; }
  public void setGift(Boolean gift) { this.gift = gift; }

  public byte[] getSignature() { return signature; }
  public void setSignature(byte[] signature) { this.signature = signature; }

  public List<Line> getLines() { return lines; }
  public void setLines(List<Line> lines) { this.lines = lines; }

  public Map<String, String> getLabels() { return labels; }
  public void setLabels(Map<String, String> labels) { this.labels = labels; }

  public Set<String> getTags() { return tags; }
  public void setTags(Set<String> tags) { this.tags = tags; }

  @DynamoDbVersionAttribute
  public Long getVersion() { return version; }
  public void setVersion(Long version) { this.version = version; }

  /** A line item, stored as a map inside the order. */
  @DynamoDbBean
  public static class Line {
    private String sku;
    private int quantity;

    public static Line of(String sku, int quantity) {
      Line line = new Line();
      line.setSku(sku);
      line.setQuantity(quantity);
      return line;
    }

    public String getSku() { return sku; }
    public void setSku(String sku) { this.sku = sku; }

    public int getQuantity() { return quantity; }
    public void setQuantity(int quantity) { this.quantity = quantity; }
  }
}
