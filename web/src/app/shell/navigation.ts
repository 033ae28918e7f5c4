import type { Guard } from '@isotherm/contract/call.ts'
import {
  type Icon,
  IconActivity,
  IconBellRinging,
  IconCode,
  IconFileCertificate,
  IconFolders,
  IconHelpCircle,
  IconHistory,
  IconLayoutDashboard,
  IconLicense,
  IconMap2,
  IconReport,
  IconSettings,
  IconShip,
  IconTemperature,
  IconTruckDelivery,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { can } from '../../lib/can.ts'
import { knownCompany } from '../../lib/profile.ts'

export interface NavigationItem {
  /** The section: its entry is marked on every screen of it. */
  to: string
  /** The screen of the section that the entry leads to, where it is another one than its address alone does. */
  opens?: string
  /** Key in namespace `shell`, below `nav`. */
  label: string
  icon: Icon
  needs: Guard
  /** Goes there after a "g". */
  key: string
  /** Most urgent on a phone at 3 a.m.: has a place in the bottom bar before the others. */
  isUrgent?: boolean
  /** Only where plans are sold. */
  whereSold?: boolean
}

/** The rail, top to bottom. One line per section, when its screens exist. */
const navigation: NavigationItem[] = [
  { to: '/dashboard', label: 'dashboard', icon: IconLayoutDashboard, needs: 'session', key: 'd', isUrgent: true },
  { to: '/maps', label: 'map', icon: IconMap2, needs: 'session', key: 'm', isUrgent: true },
  { to: '/devices', label: 'devices', icon: IconTemperature, needs: 'devices.view', key: 'v', isUrgent: true },
  { to: '/groups', label: 'groups', icon: IconFolders, needs: 'groups.view', key: 'g' },
  { to: '/records', label: 'records', icon: IconFileCertificate, needs: 'devices.view', key: 'r' },
  {
    to: '/alarms',
    opens: '/alarms/triggered-alarms',
    label: 'alarms',
    icon: IconBellRinging,
    needs: 'alarms.view',
    key: 'a',
    isUrgent: true,
  },
  { to: '/excursions', label: 'excursions', icon: IconActivity, needs: 'devices.view', key: 'e' },
  { to: '/reports', label: 'reports', icon: IconReport, needs: 'reports.view', key: 'p' },
  { to: '/dispatch', label: 'dispatch', icon: IconTruckDelivery, needs: 'dispatch.view', key: 'o' },
  { to: '/export', label: 'export', icon: IconShip, needs: 'dispatch.view', key: 'x' },
  { to: '/wallet', label: 'wallet', icon: IconWallet, needs: 'payments.view', key: 'w' },
  {
    to: '/subscription',
    label: 'subscription',
    icon: IconLicense,
    needs: 'payments.view',
    key: 'b',
    whereSold: true,
  },
  { to: '/users', label: 'users', icon: IconUsers, needs: 'users.view', key: 'u' },
  { to: '/logs', label: 'logs', icon: IconHistory, needs: 'session', key: 'l' },
  { to: '/developers', label: 'developers', icon: IconCode, needs: 'admin', key: 'k' },
  { to: '/support', label: 'support', icon: IconHelpCircle, needs: 'session', key: 'h' },
  { to: '/settings', label: 'settings', icon: IconSettings, needs: 'session', key: 's' },
]

/** The screen that an entry leads to. */
export const screenOf = ({ to, opens = to }: Pick<NavigationItem, 'to' | 'opens'>) => opens as '/users'

/** May the person see a screen, and does their company have it? */
export const isOwn = ({ needs, whereSold }: Pick<NavigationItem, 'needs' | 'whereSold'>): boolean =>
  can(needs) && (!whereSold || knownCompany()?.subscription != null)

/** The entries that the person may see. */
export const ownNavigation = (): NavigationItem[] => navigation.filter(isOwn)
