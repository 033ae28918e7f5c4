import type { Party } from '@isotherm/contract/orders.ts'
import { Anchor } from '@mantine/core'
import { PhoneLink } from '../../../shared/dispatch/phone-link.tsx'
import classes from './order-life.module.css'

/** By which phone and mail address a sender or a receiver is reached. */
export function PartyReach({ phone, email }: Pick<Party, 'phone' | 'email'>) {
  if (!phone && !email) return null
  return (
    <div className={classes.line}>
      {phone && <PhoneLink phone={phone} />}
      {phone && email && ' · '}
      {email && (
        <Anchor href={`mailto:${email}`} size="sm">
          {email}
        </Anchor>
      )}
    </div>
  )
}
