import { auth } from '@isotherm/contract/auth.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { Menu, useMantineColorScheme } from '@mantine/core'
import {
  IconCheck,
  IconDeviceDesktop,
  IconHelpCircle,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { can } from '../../lib/can.ts'
import { currentLocale, setLanguage } from '../../lib/i18n.ts'
import { languageNames, localeNames } from '../../lib/languages.ts'
import { rememberProfile } from '../../lib/profile.ts'
import { useSession } from '../../lib/session.ts'
import { leave } from './leave.ts'
import { PersonFace } from './person-face.tsx'

/** Language, light and dark, settings, log out; open from the start (person-button.tsx). */
export function PersonMenu() {
  const { t } = useTranslation('shell')
  const profile = useSession((state) => state.profile)
  if (!profile) return null
  return (
    <Menu position="bottom-end" width={240} defaultOpened>
      <Menu.Target>
        <PersonFace />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {profile.email} · {t(`roles.${profile.role}`)}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconSettings size={16} />}>
          {t('nav.settings')}
        </Menu.Item>
        <Menu.Item component={Link} to="/support" leftSection={<IconHelpCircle size={16} />}>
          {t('nav.support')}
        </Menu.Item>
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <SchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          {t('person.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

async function speak(locale: Locale) {
  await setLanguage(locale)
  if (!can(auth.changeProfile)) return
  try {
    rememberProfile({ user: await call(auth.changeProfile, { body: { locale } }) })
  } catch {
    // This browser speaks it all the same; the next switch tries again.
  }
}

function LanguageItems() {
  const { t } = useTranslation('shell')
  const current = currentLocale()
  return (
    <>
      <Menu.Label>{t('person.language')}</Menu.Label>
      {localeNames.map((locale) => (
        <Menu.Item
          key={locale}
          lang={locale}
          aria-current={locale === current || undefined}
          leftSection={locale === current ? <IconCheck size={16} /> : <span style={{ width: 16 }} />}
          onClick={() => void speak(locale)}
        >
          {languageNames[locale]}
        </Menu.Item>
      ))}
    </>
  )
}

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const

function SchemeItems() {
  const { t } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{t('person.appearance')}</Menu.Label>
      {schemes.map(([scheme, SchemeIcon]) => (
        <Menu.Item
          key={scheme}
          aria-current={colorScheme === scheme || undefined}
          leftSection={<SchemeIcon size={16} />}
          rightSection={colorScheme === scheme && <IconCheck size={16} />}
          onClick={() => setColorScheme(scheme)}
        >
          {t(`person.scheme.${scheme}`)}
        </Menu.Item>
      ))}
    </>
  )
}
