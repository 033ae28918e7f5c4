import { ChartType, type Company, company as companyCalls, MapType } from '@isotherm/contract/company.ts'
import { Radio, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { rememberProfile } from '../../../lib/profile.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { isSetUp } from '../../../map/kinds.ts'
import { useMapSources } from '../../../map/use-map-sources.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { OpenHere } from '../../../ui/open-here.tsx'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import { WithCompany } from '../parts/with-company.tsx'

/** For the whole company; read-only but for an Admin. */
export function ChartSettingsPage() {
  return (
    <SettingsPage>
      <WithCompany>{(company) => <ChartSettingsForm company={company} />}</WithCompany>
    </SettingsPage>
  )
}

function ChartSettingsForm({ company }: { company: Company }) {
  const { t } = useTranslation('company')
  const [isAdmin, readOnly] = [useCan('admin'), !useCan(companyCalls.changeChartSettings)]
  // Until they are known, nothing is said to be missing.
  const sources = useMapSources().sources?.sources
  const lacks = (kind: MapType) => sources !== undefined && !isSetUp(kind, sources)
  const form = useEntityForm({
    initialValues: { chartType: company.chartType, mapType: company.mapType },
    required: [],
    toBody: (values) => values,
    save: (body) => call(companyCalls.changeChartSettings, { body }),
    onSaved: (saved) => {
      form.startFrom({ chartType: saved.chartType, mapType: saved.mapType })
      rememberProfile({ company: saved })
      toastSuccess(t('chart.saved'))
    },
  })
  const { getInputProps } = form.fields
  return (
    <Stack>
      {isAdmin && <OpenHere row={companyCalls.changeChartSettings} />}
      {!(isAdmin && readOnly) && (
        <Text size="sm" c="dimmed">
          {t(readOnly ? 'adminOnly' : 'chart.lead')}
        </Text>
      )}
      <EntityForm form={form} submitLabel={t('common:actions.save')} disabled={readOnly} label={t('chart.title')}>
        <Radio.Group label={t('chart.chartType')} {...getInputProps('chartType')}>
          <Stack gap="xs" mt="xs">
            {ChartType.options.map((value) => (
              <Radio
                key={value}
                value={value}
                disabled={readOnly}
                label={t(`chart.charts.${value}`)}
                description={t(`chart.chartsHelp.${value}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t('chart.mapType')}
          description={MapType.options.some(lacks) && !readOnly ? t('chart.setUp') : undefined}
          {...getInputProps('mapType')}
        >
          <Stack gap="xs" mt="xs">
            {MapType.options.map((value) => (
              <Radio
                key={value}
                value={value}
                disabled={readOnly || lacks(value)}
                label={t(`chart.maps.${value}`)}
                description={
                  lacks(value) ? t(value === company.mapType ? 'chart.chosenNotSetUp' : 'chart.notSetUp') : undefined
                }
              />
            ))}
          </Stack>
        </Radio.Group>
      </EntityForm>
    </Stack>
  )
}
