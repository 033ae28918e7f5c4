import { CalibrationFacts, calibrations, NewCalibration } from '@isotherm/contract/calibrations.ts'
import { ActionIcon, Button, Group, Input, NumberInput, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { newRequestId } from '../../../lib/request-id.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DeviceSelect } from '../../../shared/device-select.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { FileButton } from '../../../ui/file-chooser.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import frames from '../../../ui/frames.module.css'

type Typed = number | ''
const emptyPoint = () => ({
  key: newRequestId(),
  ...{ referenceC: '' as Typed, readingC: '' as Typed, uncertaintyC: '' as Typed },
})
const initialValues = {
  file: null as File | null,
  certificate: {
    ...{ deviceId: null as string | null, channel: '', certificateNo: '', laboratory: '', calibratedOn: '', dueOn: '' },
    ...{ offsetC: '' as Typed, points: [emptyPoint()], note: '' },
  },
}
const maxPoints = 20
const orNull = (value: Typed) => (value === '' ? null : value)

/** The facts as the server takes them; a point without figures is none. */
function factsOf({ points, offsetC, channel, note, deviceId, ...facts }: (typeof initialValues)['certificate']) {
  return {
    ...facts,
    ...{
      deviceId: deviceId ?? '',
      channel: channel.trim() || null,
      note: note.trim() || null,
      offsetC: orNull(offsetC),
    },
    points: points
      .filter(({ referenceC, readingC }) => referenceC !== '' || readingC !== '')
      .map(({ referenceC, readingC, uncertaintyC }) => ({
        ...{ referenceC: orNull(referenceC), readingC: orNull(readingC), uncertaintyC: orNull(uncertaintyC) },
      })),
  }
}

/** A new certificate: its facts, points and file. */
export function CalibrationDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('calibrations')
  const form = useEntityForm({
    initialValues,
    schema: NewCalibration.extend({ certificate: CalibrationFacts }),
    toBody: ({ file, certificate }) => ({ certificate: factsOf(certificate), ...(file && { file }) }),
    save: ({ certificate, ...file }) =>
      call(calibrations.add, { body: { certificate: JSON.stringify(certificate), ...file } }),
    onSaved: () => {
      toastSuccess(t('added'))
      void refetchCalls(calibrations.list)
      onClose()
    },
  })
  const { getInputProps, setFieldValue, values, errors } = form.fields
  const celsius = { decimalScale: 2, hideControls: true }
  return (
    <FormDialog title={t('add')} form={form} submitLabel={t('add')} onClose={onClose}>
      <DeviceSelect
        label={t('fields.device')}
        data-autofocus
        nothingFoundMessage={t('common:form.nothingFound')}
        {...getInputProps('certificate.deviceId')}
      />
      <TextInput label={t('fields.channel')} maxLength={40} {...getInputProps('certificate.channel')} />
      <TextInput label={t('fields.certificateNo')} maxLength={80} {...getInputProps('certificate.certificateNo')} />
      <TextInput label={t('fields.laboratory')} maxLength={160} {...getInputProps('certificate.laboratory')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField label={t('fields.calibratedOn')} {...getInputProps('certificate.calibratedOn')} />
        <DateField label={t('fields.dueOn')} {...getInputProps('certificate.dueOn')} />
      </SimpleGrid>
      <Input.Wrapper label={t('pointsTitle')} labelElement="div">
        <div className={frames.stack}>
          {values.certificate.points.map(({ key }, index) => (
            <Group key={key} gap="xs" align="end" wrap="nowrap" role="group" aria-label={String(index + 1)}>
              {(['referenceC', 'readingC', 'uncertaintyC'] as const).map((name) => (
                <NumberInput
                  key={name}
                  flex={1}
                  aria-label={t(`points.${name}`)}
                  label={index === 0 ? t(`points.${name}`) : undefined}
                  {...celsius}
                  {...getInputProps(`certificate.points.${index}.${name}`)}
                />
              ))}
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('removePoint', { number: index + 1 })}
                onClick={() => form.fields.removeListItem('certificate.points', index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <div>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconPlus size={16} />}
              disabled={values.certificate.points.length >= maxPoints}
              onClick={() => form.fields.insertListItem('certificate.points', emptyPoint())}
            >
              {t('addPoint')}
            </Button>
          </div>
        </div>
      </Input.Wrapper>
      <NumberInput
        label={t('fields.offsetC')}
        description={t('offsetHelp')}
        min={-5}
        max={5}
        {...celsius}
        {...getInputProps('certificate.offsetC')}
      />
      <Input.Wrapper label={t('fields.file')} labelElement="div" error={errors.file}>
        <Group gap="sm">
          <FileButton
            label={t('fields.file')}
            accept=".pdf,application/pdf"
            variant="default"
            onFile={(file) => setFieldValue('file', file)}
          >
            {t('file.choose')}
          </FileButton>
          <Text size="sm" c="dimmed">
            {values.file?.name ?? t('file.none')}
          </Text>
        </Group>
      </Input.Wrapper>
      <Textarea label={t('fields.note')} autosize maxLength={500} {...getInputProps('certificate.note')} />
    </FormDialog>
  )
}
