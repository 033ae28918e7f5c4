import { type Sso, type SsoAdmin, type SsoConnection, SsoPolicy, sso, ssoLimits } from '@isotherm/contract/sso.ts'
import { Checkbox, NumberInput, Radio, Select, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'

const states = ['off', 'offered', 'enforced'] as const

const lackOf = ({ hasPassword, hasFactor }: SsoAdmin) =>
  !hasPassword ? 'noPassword' : hasFactor ? 'address' : 'noFactor'

/** The last step: on or off, for whom, and for how long. */
export function PolicyForm({ settings, connection }: { settings: Sso; connection: SsoConnection }) {
  const { t } = useTranslation('sso')
  const { admins, breakGlassIds } = settings
  const isReady = connection.testedAt !== null && settings.domains.some(({ provedAt }) => provedAt !== null)
  const form = useEntityForm({
    initialValues: {
      state: connection.state,
      joinRole: connection.joinRole ?? ('nobody' as const),
      sessionHours: connection.sessionHours,
      asksFactor: connection.asksFactor,
      breakGlassIds,
    },
    schema: SsoPolicy,
    required: ({ state }) => (state === 'enforced' ? ['breakGlassIds'] : []),
    toBody: ({ joinRole, sessionHours, ...values }) => ({
      ...values,
      joinRole: joinRole === 'nobody' ? null : joinRole,
      sessionHours: Number(sessionHours || 0),
      version: connection.version,
    }),
    save: (body) => call(sso.change, { body }),
    onSaved: () => {
      toastSuccess(t('policy.saved'))
      void refetchCalls(sso.read)
    },
  })
  const { getInputProps, values } = form.fields
  return (
    <Panel title={t('policy.title')}>
      <EntityForm form={form} submitLabel={t('common:actions.save')} label={t('policy.title')} wide>
        <Radio.Group label={t('policy.state')} {...getInputProps('state')}>
          <Stack gap="sm" mt="xs">
            {states.map((state) => (
              <Radio
                key={state}
                value={state}
                label={t(`states.${state}`)}
                description={t(`policy.about.${state}`)}
                disabled={state !== 'off' && state !== connection.state && !isReady}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Checkbox.Group
          label={t('policy.breakGlass')}
          description={t('policy.breakGlassHelp')}
          {...getInputProps('breakGlassIds')}
        >
          <Stack gap="xs" mt="xs">
            {admins.map((admin) => (
              <Checkbox
                key={admin.id}
                value={admin.id}
                label={admin.fullname}
                description={t(`policy.${lackOf(admin)}`, { email: admin.email })}
                disabled={!admin.hasPassword && !values.breakGlassIds.includes(admin.id)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label={t('policy.joinRole')}
          description={t('policy.joinHelp')}
          data={(['nobody', 'staff', 'manager'] as const).map((value) => ({ value, label: t(`policy.join.${value}`) }))}
          allowDeselect={false}
          {...getInputProps('joinRole')}
        />
        <NumberInput
          label={t('policy.hours')}
          description={t('policy.hoursHelp')}
          min={1}
          max={ssoLimits.maxSessionHours}
          allowDecimal={false}
          {...getInputProps('sessionHours')}
        />
        <Checkbox
          label={t('policy.asksFactor')}
          description={t('policy.asksFactorHelp')}
          {...getInputProps('asksFactor', { type: 'checkbox' })}
        />
      </EntityForm>
    </Panel>
  )
}
