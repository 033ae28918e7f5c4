/** A provider's later statement about a message it accepted. */
export interface DeliveryReceipt {
  /** The provider's name of the message. */
  id: string
  state: 'delivered' | 'failed'
  reason: string | null
}
