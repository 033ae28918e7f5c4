import { insertCardPage } from '../src/core/billing/card-page-queries.ts'
import { keepCard } from '../src/core/billing/cards.ts'
import { newReference } from '../src/core/billing/reference.ts'
import { inCompany } from './factories.ts'
import type { TestApp } from './harness.ts'

/** A card that was kept at Paystack. */
export const aCard = (test: TestApp, { companyId }: { companyId: number }) =>
  inCompany(test, companyId, (ctx) =>
    keepCard({ ...ctx, secret: test.services.secret, now: test.clock.now() }, 'paystack', {
      ...{ token: 'AUTH_ok', email: 'ap@acme.test', customer: null, fingerprint: 'print', brand: 'visa' },
      ...{ last4: '4081', expMonth: 12, expYear: 2040, bank: 'TEST BANK' },
    }),
  )

/** A page where a card may be kept, which its provider has not made. */
export const aCardPage = (test: TestApp, { companyId }: { companyId: number }) =>
  inCompany(test, companyId, (ctx) =>
    insertCardPage(ctx, {
      provider: 'stripe',
      reference: newReference(test.services.secret, companyId),
      asked_by: '1',
      call_key: null,
      created_at: test.clock.now(),
      closes_at: new Date(test.clock.now().getTime() + 3_600_000),
    }),
  )
