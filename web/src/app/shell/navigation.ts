import type { Guard } from '@isotherm/contract/call.ts'
import {
  type Icon,
  IconActivity,
  IconBellRinging,
  IconFileCertificate,
  IconFolders,
  IconHistory,
  IconLayoutDashboard,
  IconMap2,
  IconReport,
  IconSettings,
  IconTemperature,
  IconUsers,
} from '@tabler/icons-react'

export interface NavigationItem {
  to: string
  /** Key in namespace `shell`, below `nav`. */
  label: string
  icon: Icon
  needs: Guard
  /** Goes there after a "g". */
  key: string
  /** Most urgent on a phone at 3 a.m.: has a place in the bottom bar before the others. */
  isUrgent?: boolean
}

/** The rail, top to bottom; each is shown only to those who may see it. One line per section, when its screens exist. */
export const navigation: NavigationItem[] = [
  { to: '/dashboard', label: 'dashboard', icon: IconLayoutDashboard, needs: 'session', key: 'd', isUrgent: true },
  { to: '/maps', label: 'map', icon: IconMap2, needs: 'session', key: 'm', isUrgent: true },
  { to: '/devices', label: 'devices', icon: IconTemperature, needs: 'devices.view', key: 'v', isUrgent: true },
  { to: '/groups', label: 'groups', icon: IconFolders, needs: 'groups.view', key: 'g' },
  { to: '/records', label: 'records', icon: IconFileCertificate, needs: 'devices.view', key: 'r' },
  { to: '/alarms', label: 'alarms', icon: IconBellRinging, needs: 'alarms.view', key: 'a', isUrgent: true },
  { to: '/excursions', label: 'excursions', icon: IconActivity, needs: 'devices.view', key: 'e' },
  { to: '/reports', label: 'reports', icon: IconReport, needs: 'reports.view', key: 'p' },
  { to: '/users', label: 'users', icon: IconUsers, needs: 'users.view', key: 'u' },
  { to: '/logs', label: 'logs', icon: IconHistory, needs: 'session', key: 'l' },
  { to: '/settings', label: 'settings', icon: IconSettings, needs: 'session', key: 's' },
]
