import type { Calibration } from '@isotherm/contract/calibrations.ts'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatDate } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { DueMark } from './due-mark.tsx'

const writeDay = (day: string) => formatDate(day, 'UTC')

export function useCalibrationColumns(): Column<Calibration>[] {
  const { t } = useTranslation('calibrations')
  return [
    {
      key: 'device',
      title: t('fields.device'),
      sort: 'device',
      render: ({ device, channel }) => (
        <>
          <b>{device.name}</b>
          {channel && ` ${channel}`}
        </>
      ),
    },
    { key: 'due', title: t('filter.label'), render: ({ due }) => <DueMark due={due} /> },
    { key: 'dueOn', title: t('fields.dueOn'), sort: 'dueOn', render: ({ dueOn }) => writeDay(dueOn) },
    {
      key: 'calibratedOn',
      title: t('fields.calibratedOn'),
      sort: 'calibratedOn',
      hideBelow: 1100,
      render: ({ calibratedOn }) => writeDay(calibratedOn),
    },
    {
      key: 'certificateNo',
      title: t('fields.certificateNo'),
      hideBelow: 820,
      render: ({ certificateNo }) => certificateNo,
    },
    {
      key: 'laboratory',
      title: t('fields.laboratory'),
      sort: 'laboratory',
      hideBelow: 1100,
      render: ({ laboratory }) => laboratory,
    },
    {
      key: 'offsetC',
      title: t('fields.offsetC'),
      align: 'right',
      render: ({ offsetC }) => (offsetC === null ? '–' : `${formatNumber(offsetC, 2)}\u2009°C`),
    },
  ]
}
