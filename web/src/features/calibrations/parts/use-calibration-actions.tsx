import { type Calibration, calibrations } from '@isotherm/contract/calibrations.ts'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'

/** The menu of a certificate. */
export function useCalibrationActions(mayEdit: boolean): (row: Calibration) => RowAction[] {
  const { t } = useTranslation('calibrations')
  const save = async ({ id, certificateNo }: Calibration) => {
    try {
      const file = await call(calibrations.file, { params: { id } }, { toastAll: true })
      download(file, `${certificateNo.replace(/[^\w-]+/g, '-')}.pdf`)
    } catch {
      // The call has toasted it.
    }
  }
  const remove = ({ id, certificateNo }: Calibration) =>
    confirm({
      title: t('remove.title', { number: certificateNo }),
      text: t('remove.text'),
      action: t('remove.action'),
      destructive: true,
      run: async () => {
        await call(calibrations.remove, { params: { id } })
        toastSuccess(t('removed'))
        await refetchCalls(calibrations.list)
      },
    })
  return (row) => [
    ...(row.file ? [{ label: t('download'), icon: <IconDownload size={16} />, onClick: () => void save(row) }] : []),
    ...(mayEdit
      ? [
          {
            ...{ label: t('remove.action'), icon: <IconTrash size={16} />, destructive: true },
            onClick: () => remove(row),
          },
        ]
      : []),
  ]
}
