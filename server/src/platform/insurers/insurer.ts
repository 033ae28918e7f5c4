/** A request to insure the goods of one order. Amounts are minor units of `currency`. */
export interface InsuranceRequest {
  /** Our name of it: the same one again is the same request. */
  reference: string
  plan: string
  insurer: string
  worth: number
  premium: number
  currency: string
  /** The company that sends the goods. */
  insured: string
  goods: readonly string[]
  from: string
  to: readonly string[]
  requestedAt: Date
  /** When the goods are to be delivered. */
  deliverBy: Date
}

/** A certificate as an insurer words it. */
export interface Certificate {
  policyNumber: string
  worth: number
  currency: string
  validFrom: Date
  validTo: Date
  pdf: Buffer | null
}

export type InsurerAnswer =
  | { state: 'pending' }
  | { state: 'certified'; certificate: Certificate }
  | { state: 'declined'; reason: string }

/** Insures orders. Asking again with one reference changes nothing: it tells what has become of the request. */
export interface Insurer {
  ask(request: InsuranceRequest): Promise<InsurerAnswer>
  /** Tells that a request is not wanted any more. */
  cancel(reference: string): Promise<void>
}
