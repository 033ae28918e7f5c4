import { Menu, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { NavigationItem } from './navigation.ts'
import classes from './shell.module.css'

/** The last place of the bar at the bottom: everything that did not fit. */
export function MoreMenu({ items }: { items: NavigationItem[] }) {
  const { t } = useTranslation('shell')
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isHere = items.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.link} data-status={isHere ? 'active' : undefined}>
          <IconDots size={20} stroke={1.7} aria-hidden="true" />
          <span className={classes.word}>{t('more')}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <Menu.Item key={item.to} component={Link} to={item.to as '/users'} leftSection={<item.icon size={18} />}>
            {t(`nav.${item.label}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
