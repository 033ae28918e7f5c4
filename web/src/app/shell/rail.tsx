import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../lib/profile.ts'
import { useSession } from '../../lib/session.ts'
import { Mark } from '../../ui/mark.tsx'
import { useNarrow } from '../../ui/use-phone.ts'
import { MoreButton } from './more-button.tsx'
import { type NavigationItem, ownNavigation, screenOf } from './navigation.ts'
import classes from './shell.module.css'

/** The entries that the person may see, kept up to date. */
export function useNavigation(): NavigationItem[] {
  useSession((state) => state.roleModulePermissions)
  useCompany()
  return ownNavigation()
}

const here = { 'data-status': 'active', 'aria-current': 'page' } as const

function NavLink({ item, label }: { item: NavigationItem; label: string }) {
  const isHere = useRouterState({ select: ({ location }) => `${location.pathname}/`.startsWith(`${item.to}/`) })
  return (
    <Link
      to={screenOf(item)}
      className={classes.link}
      title={label}
      activeOptions={{ includeSearch: false }}
      {...(isHere && here)}
    >
      <item.icon size={20} stroke={1.7} aria-hidden="true" />
      <span className={classes.word}>{label}</span>
    </Link>
  )
}

/** Icons and words at the left; only icons on narrower screens; not on a phone. */
export function Rail() {
  const { t } = useTranslation('shell')
  return (
    <nav className={classes.rail} aria-label={t('navigation')}>
      <Link to="/" className={classes.brand} title="Isotherm">
        <Mark />
        <span className={classes.word}>Isotherm</span>
      </Link>
      {useNavigation().map((item) => (
        <NavLink key={item.to} item={item} label={t(`nav.${item.label}`)} />
      ))}
    </nav>
  )
}

const places = 5

/** Five places at the bottom of a phone: what does not fit is behind the last one. */
export function BottomBar() {
  const { t } = useTranslation('shell')
  const all = useNavigation()
  const items = [...all.filter(({ isUrgent }) => isUrgent), ...all.filter(({ isUrgent }) => !isUrgent)]
  const fits = items.length <= places
  // Where the bar is not shown, its menu is none to go to.
  const isShown = useNarrow()
  const shown = fits ? items : items.slice(0, places - 1)
  return (
    <nav className={classes.bottom} aria-label={t('navigation')}>
      {shown.map((item) => (
        // A fifth of a phone is 78 px: some names have a shorter form.
        <NavLink key={item.to} item={item} label={t([`navShort.${item.label}`, `nav.${item.label}`])} />
      ))}
      {!fits && isShown && <MoreButton items={items.slice(places - 1)} />}
    </nav>
  )
}
