import { registerHooks } from 'node:module'

/*
 * The server with one fault: it believes what is sent to its webhooks, and grants without asking the payment provider. The negative control
 * of bench/money: a harness that does not notice this would notice nothing.
 */
const believing = new URL('believing-ask.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/ask-payment.ts') && context.parentURL?.endsWith('/features/billing/jobs.ts')
      ? next(believing, context)
      : next(specifier, context),
})

await import('./moved-server.ts')
