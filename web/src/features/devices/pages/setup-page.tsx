import { limitPresets } from '@isotherm/contract/device-limits.ts'
import { type ClaimedDevice, DeviceSetup, devices } from '@isotherm/contract/devices.ts'
import { Alert, Checkbox, Paper, Text, TextInput } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import frames from '../../../ui/frames.module.css'
import { showNewSecret } from '../../../ui/new-secret.ts'
import { OpenHere } from '../../../ui/open-here.tsx'
import { Page } from '../../../ui/page.tsx'
import { digitsOf, hasValidCheckDigit, isImei } from '../imei.ts'
import { type Label, readLabel } from '../label-link.ts'
import { limitsChange, valuesOf } from '../limit-values.ts'
import { LicenceNote } from '../parts/licence-note.tsx'
import { SettingsFields, type SettingsValues } from '../parts/settings-fields.tsx'

interface SetupValues extends SettingsValues {
  imei: string
  claimCode: string
  licenceKey: string
  overrideImeiCheck: boolean
}

/** Claims a device by IMEI and licence key, and gives it its first settings. */
export function SetupPage() {
  const { t } = useTranslation('devices')
  const mayEdit = useCan('devices.addOrEdit')
  return (
    <Page title={t('setup.title')} width="text" breadcrumb={<Link to="/devices/device-overview">{t('title')}</Link>}>
      <Paper className={frames.panel}>
        {mayEdit ? (
          <OpenHere row={devices.setup}>
            <SetupForm />
          </OpenHere>
        ) : (
          <Text size="sm">{t('setup.notAllowed')}</Text>
        )}
      </Paper>
    </Page>
  )
}

/** The content of a label's link; the code does not stay in the address bar. */
function useLabel(): Label | null {
  const navigate = useNavigate()
  const [label] = useState(() => readLabel(window.location))
  useEffect(() => {
    if (label) void navigate({ to: '.', search: {}, hash: '', replace: true })
  }, [label, navigate])
  return label
}

function SetupForm() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const { deviceId = 'new' } = useParams({ strict: false }) as { deviceId?: string }
  const label = useLabel()
  const form = useEntityForm<SetupValues, z.input<typeof DeviceSetup>, Pick<ClaimedDevice, 'id' | 'newSecret'>>({
    initialValues: {
      imei: label?.imei || (isImei(deviceId) ? deviceId : ''),
      claimCode: label?.code ?? '',
      licenceKey: '',
      overrideImeiCheck: false,
      name: '',
      tag: '',
      intervalS: '600',
      visibility: 'public',
      limits: valuesOf(limitPresets.refrigerated),
    },
    schema: DeviceSetup,
    toBody: (values) => ({
      imei: digitsOf(values.imei),
      ...(values.claimCode.trim() ? { claimCode: values.claimCode.trim() } : {}),
      ...(values.licenceKey.trim() ? { licenceKey: values.licenceKey.trim() } : {}),
      name: values.name,
      tag: values.tag.trim() || null,
      intervalS: Number(values.intervalS),
      visibility: values.visibility,
      limits: limitsChange(values.limits),
      overrideImeiCheck: values.overrideImeiCheck,
    }),
    save: (body) => call(devices.setup, { body }),
    fieldOf: {
      CLAIM_REFUSED: 'claimCode',
      LICENCE_INVALID: 'licenceKey',
      LICENCE_USED: 'licenceKey',
    },
    onSaved: ({ id, newSecret }, { imei }) => {
      toastSuccess(t('setup.done'))
      if (newSecret) showNewSecret({ imei: digitsOf(imei), secret: newSecret })
      void refetchCalls(devices.list, devices.summary)
      void navigate({ to: '/devices/$deviceId/details', params: { deviceId: id } })
    },
  })
  const { fields } = form
  const { imei, licenceKey } = fields.getValues()
  const isDoubtful = isImei(digitsOf(imei)) && !hasValidCheckDigit(digitsOf(imei))
  return (
    <EntityForm form={form} submitLabel={t('setup.submit')} label={t('setup.title')}>
      <TextInput
        label={t('columns.imei')}
        description={t('setup.imeiHelp')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={24}
        {...fields.getInputProps('imei')}
      />
      {isDoubtful && (
        <Alert color="orange" variant="light" title={t('setup.doubtful')}>
          <Checkbox
            mt={4}
            label={t('setup.override')}
            {...fields.getInputProps('overrideImeiCheck', { type: 'checkbox' })}
          />
        </Alert>
      )}
      <TextInput
        label={t('setup.claimCode')}
        description={t('setup.claimCodeHelp')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        {...fields.getInputProps('claimCode')}
      />
      <TextInput
        label={t('setup.licenceKey')}
        description={t('setup.licenceHelp')}
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        {...fields.getInputProps('licenceKey')}
      />
      <LicenceNote licenceKey={licenceKey.trim()} />
      <SettingsFields fields={fields} />
    </EntityForm>
  )
}
