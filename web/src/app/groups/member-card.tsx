import type { GroupDevice } from '@isotherm/contract/groups.ts'
import { Fragment } from 'react'
import { StateOfDevice } from '../../features/devices/parts/state-of-device.tsx'
import shared from '../overview.module.css'
import classes from './groups.module.css'
import { useMemberColumns } from './use-member-columns.tsx'

/** A group's device in the list of a phone: the same order as the row of the table. */
export function MemberCard({ device }: { device: GroupDevice }) {
  const columns = new Map(useMemberColumns().map(({ key, render }) => [key, render(device)]))
  return (
    <span className={classes.card}>
      <span className={classes.cardRow}>
        <StateOfDevice device={device} />
        <span className={shared.small}>{columns.get('lastSeen')}</span>
      </span>
      <span>{columns.get('name')}</span>
      <span className={classes.cardRow}>
        {columns.get('temperature')}
        <span className={classes.cardFacts}>
          {(['humidity', 'battery', 'place'] as const).map((key) => (
            <Fragment key={key}>{columns.get(key)}</Fragment>
          ))}
        </span>
      </span>
    </span>
  )
}
