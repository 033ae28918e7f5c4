/** What a provider tells later of a message it took. */
export interface DeliveryReceipt {
  /** The provider's name of the message. */
  id: string
  state: 'delivered' | 'failed'
  reason: string | null
}
