import { Email } from '@isotherm/contract/common.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { groups } from '@isotherm/contract/groups.ts'
import { NewReport, type Report, reportLimits, reports } from '@isotherm/contract/reports.ts'
import { users } from '@isotherm/contract/users.ts'
import { Checkbox, Fieldset, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { can, useCan } from '../../../lib/can.ts'
import { currentLocale } from '../../../lib/i18n.ts'
import { named } from '../../../lib/named.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { differing, saveChange } from '../../../lib/save-change.ts'
import { shownZone } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { ContentsField, FileLocaleField, WorkbookNote } from '../../../shared/issued/contents-fields.tsx'
import { ChooseMany } from '../../../ui/form/choose-many.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { type EntityForm, useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { bodyOf, newValues, type ReportValues, valuesOf } from '../report-values.ts'
import { NotMailed } from './not-mailed.tsx'
import { WhenFields } from './when-fields.tsx'

const formats = ['pdf', 'xlsx', 'csv'] as const

/** Creates a report (`report` null), or changes one. */
export function ReportDrawer({ report, onClose }: { report: Report | null; onClose: () => void }) {
  const { t } = useTranslation('reports')
  // As the form shows it.
  const [seen, setSeen] = useState(report)
  const [start, setStart] = useState(() =>
    report ? valuesOf(report) : newValues(shownZone(), currentLocale(), can('alarms.view')),
  )
  const form = useEntityForm({
    initialValues: start,
    schema: NewReport,
    toBody: bodyOf,
    save: (body) =>
      seen
        ? saveChange({
            seen,
            // A choice of before may be gone by now, and need not be made again.
            change: differing(bodyOf(start), body),
            bodyOf: (now) => bodyOf(valuesOf(now)),
            load: () => call(reports.one, { params: { id: seen.id } }),
            send: (change, how) => call(reports.change, { params: { id: seen.id }, body: change }, how),
            onRefused: (now) => {
              setSeen(now)
              setStart(valuesOf(now))
              form.startFrom(valuesOf(now), start)
            },
          })
        : call(reports.add, { body }),
    onSaved: () => {
      toastSuccess(t(report ? 'edited' : 'created'))
      void refetchCalls(reports.list, reports.one)
      onClose()
    },
  })
  return (
    <FormDrawer
      title={t(report ? 'form.edit' : 'add')}
      form={form}
      submitLabel={report ? t('common:actions.save') : t('add')}
      onClose={onClose}
    >
      <TextInput label={t('fields.name')} data-autofocus maxLength={80} {...form.fields.getInputProps('name')} />
      <What form={form} />
      <WhenFields form={form} />
      <Who form={form} report={report} />
      {report && (
        <Text size="xs" c="dimmed">
          {t('form.owner', { name: report.owner })}
        </Text>
      )}
    </FormDrawer>
  )
}

type Form = EntityForm<ReportValues>

/** The first message of a list or of one of its entries. */
const errorOf = ({ fields }: Form, path: string) =>
  Object.entries(fields.errors).find(([key]) => key === path || key.startsWith(`${path}.`))?.[1]

/** Names the recipient in question among many. */
function recipientError({ fields }: Form) {
  const [key, error] = Object.entries(fields.errors).find(([path]) => path.startsWith('recipients')) ?? []
  const place = Number(key?.split('.')[1])
  const { people, addresses } = fields.values
  const meant = [...people.map(({ label }) => label), ...addresses][place]
  return meant === undefined ? error : named(meant, String(error))
}

function What({ form }: { form: Form }) {
  const { t } = useTranslation('reports')
  const seesDevices = useCan('devices.view')
  const seesGroups = useCan('groups.view')
  const { values } = form.fields
  return (
    <Fieldset legend={t('form.what')}>
      <Stack gap="md">
        {(seesDevices || values.devices.length > 0) && (
          <ChooseMany
            label={t('fields.devices')}
            placeholder={t('form.chooseDevices')}
            path="deviceIds"
            error={errorOf(form, 'deviceIds')}
            chosen={values.devices}
            onChange={(chosen) => form.fields.setFieldValue('devices', chosen)}
            useFound={useDevices}
          />
        )}
        {(seesGroups || values.groups.length > 0) && (
          <ChooseMany
            label={t('fields.groups')}
            placeholder={t('form.chooseGroups')}
            path="groupIds"
            error={errorOf(form, 'groupIds')}
            chosen={values.groups}
            onChange={(chosen) => form.fields.setFieldValue('groups', chosen)}
            useFound={useGroups}
          />
        )}
        <ContentsField
          description={
            <>
              {t('form.contentsHelp')}{' '}
              {values.formats.includes('xlsx') && values.contents.includes('readings') && <WorkbookNote />}
            </>
          }
          {...form.fields.getInputProps('contents')}
          value={values.contents}
        />
        <Checkbox.Group label={t('fields.formats')} {...form.fields.getInputProps('formats')}>
          <Group gap="8px 18px" mt={6}>
            {formats.map((value) => (
              <Checkbox key={value} value={value} label={t(`formats.${value}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <FileLocaleField {...form.fields.getInputProps('locale')} />
      </Stack>
    </Fieldset>
  )
}

function Who({ form, report }: { form: Form; report: Report | null }) {
  const { t } = useTranslation('reports')
  const seesUsers = useCan('users.view')
  const { values } = form.fields
  const error = recipientError(form)
  return (
    <Fieldset legend={t('form.who')}>
      <Stack gap="md">
        {(seesUsers || values.people.length > 0) && (
          <ChooseMany
            label={t('form.people')}
            placeholder={t('form.choosePeople')}
            path="people"
            description={t('form.peopleHelp')}
            error={undefined}
            chosen={values.people}
            onChange={(chosen) => form.fields.setFieldValue('people', chosen)}
            useFound={usePeople}
          />
        )}
        <TagsInput
          label={t('form.addresses')}
          description={`${t('form.addressesHelp')} ${t('form.bound', { limit: reportLimits.recipients })}`}
          placeholder={values.addresses.length === 0 ? 'name@example.com' : undefined}
          splitChars={[',', ';', ' ']}
          acceptValueOnBlur
          value={values.addresses}
          onChange={(addresses) => {
            // Said at once, and not when all is sent.
            const wrong = addresses.find((address) => !Email.safeParse(address).success)
            if (wrong) return form.fields.setFieldError('recipients', t('form.noAddress', { address: wrong }))
            form.fields.clearFieldError('recipients')
            form.fields.setFieldValue('addresses', addresses)
          }}
          error={error}
          data-path="recipients"
        />
        {report && (
          <NotMailed
            report={report}
            isStill={({ userId, email }) =>
              userId ? values.people.some(({ id }) => id === userId) : values.addresses.includes(email)
            }
            vouched={values.vouched}
            onVouch={(vouched) => form.fields.setFieldValue('vouched', vouched)}
          />
        )}
      </Stack>
    </Fieldset>
  )
}

function useDevices(search: string) {
  const answer = useCall(devices.list, { query: { search: search || undefined, perPage: 50 } }, { keepPrevious: true })
  return (answer.data?.data ?? []).map(({ id, name, tag }) => ({ id, label: tag ? `${name} · ${tag}` : name }))
}

function useGroups(search: string) {
  const answer = useCall(groups.list, { query: { search: search || undefined, perPage: 50 } }, { keepPrevious: true })
  return (answer.data?.data ?? []).map(({ id, name }) => ({ id, label: name }))
}

function usePeople(search: string) {
  const answer = useCall(users.list, { query: { search: search || undefined, perPage: 50 } }, { keepPrevious: true })
  return (answer.data?.data ?? []).map(({ id, fullname }) => ({ id, label: fullname }))
}
