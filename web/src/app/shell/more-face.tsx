import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { NavigationItem } from './navigation.ts'
import classes from './shell.module.css'

/** The last place of the bar at the bottom; lit where one of its items is open. */
export function MoreFace({
  items,
  ...props
}: UnstyledButtonProps & ComponentProps<'button'> & { items: NavigationItem[] }) {
  const { t } = useTranslation('shell')
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isHere = items.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return (
    <UnstyledButton
      aria-haspopup="menu"
      {...props}
      className={classes.link}
      data-status={isHere ? 'active' : undefined}
    >
      <IconDots size={20} stroke={1.7} aria-hidden="true" />
      <span className={classes.word}>{t('more')}</span>
    </UnstyledButton>
  )
}
