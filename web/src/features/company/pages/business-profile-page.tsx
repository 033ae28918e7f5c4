import { company } from '@isotherm/contract/company.ts'
import { Divider, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { OpenHere } from '../../../ui/open-here.tsx'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import { CompanyForm } from '../parts/company-form.tsx'
import { LogoPanel } from '../parts/logo-panel.tsx'
import { PpecbForm } from '../parts/ppecb-form.tsx'
import { WithCompany } from '../parts/with-company.tsx'

/** Everybody reads it, an Admin edits it. */
export function BusinessProfilePage() {
  const { t } = useTranslation('company')
  const [isAdmin, readOnly] = [useCan('admin'), !useCan(company.changeProfile)]
  return (
    <SettingsPage>
      <WithCompany>
        {(own) => (
          <Stack gap="xl">
            {isAdmin ? (
              <OpenHere row={company.changeProfile} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('adminOnly')}
              </Text>
            )}
            <CompanyForm
              company={own}
              readOnly={readOnly}
              submitLabel={t('common:actions.save')}
              onSaved={() => toastSuccess(t('business.saved'))}
            />
            <Divider maw={480} />
            <LogoPanel company={own} readOnly={readOnly} />
            <Divider maw={480} />
            <Stack gap="xs">
              <Title order={2}>{t('ppecb.title')}</Title>
              <Text size="sm" c="dimmed" maw={480}>
                {t('ppecb.help')}
              </Text>
              <PpecbForm company={own} readOnly={readOnly} />
            </Stack>
          </Stack>
        )}
      </WithCompany>
    </SettingsPage>
  )
}
