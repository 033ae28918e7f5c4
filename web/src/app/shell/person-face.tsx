import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../lib/profile.ts'
import { useSession } from '../../lib/session.ts'
import classes from './shell.module.css'

const initials = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => part[0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

/** The button of the person's menu: initials, and name and company where there is room. */
export function PersonFace(props: UnstyledButtonProps & ComponentProps<'button'>) {
  const { t } = useTranslation('shell')
  const profile = useSession((state) => state.profile)
  const company = useCompany()
  // Its place is kept: the other buttons stay where they are.
  if (!profile)
    return (
      <span className={classes.person} aria-hidden="true">
        <span className={classes.initials} />
      </span>
    )
  return (
    <UnstyledButton
      aria-haspopup="menu"
      {...props}
      className={`${classes.person} touch-area`}
      aria-label={t('person.menu', { name: profile.fullname })}
    >
      <span className={classes.initials} aria-hidden="true">
        {initials(profile.fullname)}
      </span>
      <span className={classes.names}>
        <b>{profile.fullname}</b>
        <span>{company?.name}</span>
      </span>
    </UnstyledButton>
  )
}
