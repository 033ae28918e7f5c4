import { ExportSettingsChange, exportSettings, type ShownExportSettings } from '@isotherm/contract/export-settings.ts'
import { Checkbox, PasswordInput, Skeleton, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { ExportPage } from '../../../shared/export/export-page.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { FormOf } from '../../../ui/form/form-of.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { PortGlnRows } from '../parts/port-gln-rows.tsx'
import { RegimeRows } from '../parts/regime-rows.tsx'
import { bodyOf, valuesOf } from '../settings-values.ts'

/** How the company exports. */
export function ExportSettingsPage() {
  const { t } = useTranslation('exportSettings')
  const answer = useCall(exportSettings.read, undefined, { staleTimeMs: 0 })
  return (
    <ExportPage title={t('title')} width="text">
      {answer.data ? (
        <FormOf thing={answer.data} version={answer.data.version}>
          {(settings) => <SettingsForm settings={settings} />}
        </FormOf>
      ) : answer.error ? (
        <Failure error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </ExportPage>
  )
}

function SettingsForm({ settings }: { settings: ShownExportSettings }) {
  const { t } = useTranslation('exportSettings')
  const readOnly = !useCan('dispatch.addOrEdit')
  const form = useEntityForm({
    initialValues: valuesOf(settings),
    schema: ExportSettingsChange,
    toBody: (values) => bodyOf(values, settings.version),
    save: (body) => call(exportSettings.change, { body }),
    onSaved: () => {
      toastSuccess(t('saved'))
      void refetchCalls(exportSettings.read)
    },
  })
  const { getInputProps, values } = form.fields
  return (
    <EntityForm form={form} submitLabel={t('common:actions.save')} disabled={readOnly} label={t('title')} wide>
      <Panel title={t('gs1.title')} text={t('gs1.text')}>
        <TextInput
          label={t('gs1.prefix')}
          description={t('gs1.prefixHelp')}
          inputMode="numeric"
          maxLength={12}
          readOnly={readOnly}
          {...getInputProps('gs1Prefix')}
        />
        <TextInput
          label={t('gs1.gln')}
          description={t('gs1.glnHelp')}
          inputMode="numeric"
          maxLength={20}
          mt="md"
          readOnly={readOnly}
          {...getInputProps('gln')}
        />
      </Panel>
      <Panel title={t('portGlns.title')} text={t('portGlns.text')}>
        <PortGlnRows fields={form.fields} readOnly={readOnly} />
      </Panel>
      <Panel title={t('regimes.title')} text={t('regimes.text')}>
        <RegimeRows fields={form.fields} readOnly={readOnly} />
      </Panel>
      <Panel title={t('behaviour.title')}>
        <Checkbox
          label={t('behaviour.flightMode')}
          disabled={readOnly}
          {...getInputProps('flightMode', { type: 'checkbox' })}
        />
        <Checkbox
          label={t('behaviour.allowsUnverified')}
          disabled={readOnly}
          mt="sm"
          {...getInputProps('allowsUnverified', { type: 'checkbox' })}
        />
      </Panel>
      <Panel title={t('capture.title')} text={t('capture.text')}>
        <TextInput
          label={t('capture.url')}
          type="url"
          placeholder="https://"
          maxLength={500}
          readOnly={readOnly}
          {...getInputProps('captureUrl')}
        />
        <TextInput
          label={t('capture.header')}
          placeholder="Authorization"
          maxLength={60}
          mt="md"
          readOnly={readOnly}
          {...getInputProps('captureHeader')}
        />
        <PasswordInput
          label={t('capture.secret')}
          description={t(settings.hasCaptureSecret ? 'capture.secretKept' : 'capture.secretNone')}
          autoComplete="off"
          maxLength={500}
          mt="md"
          readOnly={readOnly}
          disabled={values.removesSecret}
          {...getInputProps('captureSecret')}
        />
        {settings.hasCaptureSecret && !readOnly && (
          <Checkbox
            label={t('capture.removeSecret')}
            mt="xs"
            {...getInputProps('removesSecret', { type: 'checkbox' })}
          />
        )}
      </Panel>
    </EntityForm>
  )
}
