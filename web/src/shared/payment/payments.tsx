import { PaymentPanel } from './payment-panel.tsx'
import type { usePayments } from './use-payments.ts'

/** A panel for each payment that is open, or that the person comes back from. */
export const Payments = ({ of: { named, others, show } }: { of: ReturnType<typeof usePayments> }) => (
  <>
    {named && <PaymentPanel key={named} id={named} onClose={() => show(undefined)} />}
    {others.map(({ id }) => (
      <PaymentPanel key={id} id={id} />
    ))}
  </>
)
