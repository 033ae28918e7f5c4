import { company } from '@isotherm/contract/company.ts'
import { Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toastSuccess } from '../../../lib/toast.ts'
import { ButtonLink } from '../../../ui/links.tsx'
import { OpenHere } from '../../../ui/open-here.tsx'
import { Page } from '../../../ui/page.tsx'
import { CompanyForm } from '../parts/company-form.tsx'
import { WithCompany } from '../parts/with-company.tsx'

/** After the first Admin's first login, once: the first save completes it. */
export function CompanyProfilePage() {
  const { t } = useTranslation('company')
  const navigate = useNavigate()
  return (
    <Page title={t('once.title')} width="text">
      <Stack>
        <Text c="dimmed" maw={480}>
          {t('once.lead')}
        </Text>
        <WithCompany>
          {(own) => (
            <OpenHere row={company.changeProfile}>
              <CompanyForm
                company={own}
                submitLabel={t('once.submit')}
                secondary={
                  <ButtonLink variant="subtle" to="/">
                    {t('once.later')}
                  </ButtonLink>
                }
                onSaved={() => {
                  toastSuccess(t('business.saved'))
                  void navigate({ to: '/', replace: true })
                }}
              />
            </OpenHere>
          )}
        </WithCompany>
      </Stack>
    </Page>
  )
}
