import { parseArgs } from 'node:util'
import { openPaymentPeer } from './peer.ts'

const usage = `A pretend bank that speaks Paystack's and Stripe's protocols on this machine. No money moves.

  node simulator/src/payments/main.ts [--port 18099] [--events ADDRESS]

  --port    where it listens, on loopback; 0 takes a free one
  --events  its webhooks go to ADDRESS/paystack and ADDRESS/stripe; without it there are none

It prints the variables to start the installation with.
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '18099' },
    events: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(usage)
} else {
  const peer = await openPaymentPeer({
    port: Number(values.port),
    ...(values.events ? { paystackEvents: `${values.events}/paystack`, stripeEvents: `${values.events}/stripe` } : {}),
  })
  console.log(
    Object.entries(peer.variables)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  )
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void peer.close())
}
