import { auth, type Profile, ProfileChange } from '@isotherm/contract/auth.ts'
import { Button, Collapse, Group, NativeSelect, Select, Stack, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { timeZones } from '../../../lib/country-and-zone-choices.ts'
import { i18n, setLanguage } from '../../../lib/i18n.ts'
import { languageNames, localeNames } from '../../../lib/languages.ts'
import { rememberProfile } from '../../../lib/profile.ts'
import { useSession } from '../../../lib/session.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { OpenHere } from '../../../ui/open-here.tsx'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import { Terms } from '../../../ui/terms.tsx'

export function ProfilePage() {
  const profile = useSession((state) => state.profile)
  return (
    <SettingsPage>
      <Stack gap="xl">
        {profile && (
          <OpenHere row={auth.changeProfile}>
            <ProfileForm profile={profile} />
          </OpenHere>
        )}
        <TermsSection />
      </Stack>
    </SettingsPage>
  )
}

function ProfileForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('auth')
  const zones = useMemo(() => timeZones(profile.timezone), [profile.timezone])
  const form = useEntityForm({
    initialValues: {
      fullname: profile.fullname,
      phone: profile.phone ?? '',
      timezone: profile.timezone,
      locale: profile.locale,
    },
    schema: ProfileChange,
    toBody: ({ phone, ...values }) => ({ ...values, phone: phone.replace(/[\s().-]/g, '') || null }),
    save: (body) => call(auth.changeProfile, { body }),
    onSaved: async (user) => {
      rememberProfile({ user })
      await setLanguage(user.locale)
      // In the language that was just chosen.
      toastSuccess(i18n.t('auth:profile.saved'))
    },
  })
  const { getInputProps } = form.fields
  return (
    <EntityForm form={form} submitLabel={t('common:actions.save')} label={t('profile.title')}>
      <TextInput
        label={t('fields.email')}
        value={profile.email}
        readOnly
        variant="filled"
        description={t('profile.emailHelp')}
      />
      <TextInput label={t('fields.fullname')} autoComplete="name" {...getInputProps('fullname')} />
      <TextInput
        label={t('fields.phone')}
        description={t('fields.phoneHelp')}
        type="tel"
        autoComplete="tel"
        {...getInputProps('phone')}
      />
      <NativeSelect
        label={t('common:language')}
        data={localeNames.map((value) => ({ value, label: languageNames[value] }))}
        {...getInputProps('locale')}
      />
      <Select
        label={t('fields.timezone')}
        description={t('profile.timezoneHelp')}
        data={zones}
        searchable
        allowDeselect={false}
        limit={200}
        {...getInputProps('timezone')}
      />
    </EntityForm>
  )
}

function TermsSection() {
  const { t } = useTranslation('terms')
  const [opened, { toggle }] = useDisclosure(false)
  return (
    <Stack gap="sm" component="section">
      <Title order={2}>{t('title')}</Title>
      <Group>
        <Button variant="default" onClick={toggle} aria-expanded={opened}>
          {t('read')}
        </Button>
      </Group>
      <Collapse expanded={opened}>
        <Terms />
      </Collapse>
    </Stack>
  )
}
