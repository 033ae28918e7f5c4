import type { Guard } from '@isotherm/contract/call.ts'
import {
  type Icon,
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
  { to: '/reports', label: 'reports', icon: IconReport, needs: 'reports.view', key: 'p' },
  { to: '/users', label: 'users', icon: IconUsers, needs: 'users.view', key: 'u' },
  { to: '/logs', label: 'logs', icon: IconHistory, needs: 'session', key: 'l' },
  { to: '/settings', label: 'settings', icon: IconSettings, needs: 'session', key: 's' },
]

/** Screens below those of the rail that the palette can jump to. */
export const subScreens: Omit<NavigationItem, 'icon' | 'key'>[] = [
  { to: '/devices/device-sessions', label: 'deviceSessions', needs: 'devices.view' },
  { to: '/alarms/triggered-alarms', label: 'triggeredAlarms', needs: 'alarms.view' },
  { to: '/alarms/add-alarm-page', label: 'addAlarm', needs: 'alarms.addOrEdit' },
  { to: '/settings/decommissioned-devices', label: 'decommissionedDevices', needs: 'devices.view' },
  { to: '/users/all-users', label: 'allUsers', needs: 'users.view' },
  { to: '/users/permissions', label: 'permissions', needs: 'users.addOrEdit' },
  { to: '/settings/profile', label: 'profile', needs: 'session' },
  { to: '/settings/businessprofile', label: 'businessProfile', needs: 'session' },
  { to: '/settings/changepassword', label: 'changePassword', needs: 'session' },
  { to: '/settings/chart-settings', label: 'chartSettings', needs: 'session' },
  { to: '/settings/sharing', label: 'sharing', needs: 'admin' },
]
