import type { BackupPlace } from '../config/backup.ts'
import { type BackupStore, diskStore } from './backup-store.ts'
import { bucketStore } from './bucket-store.ts'

export const openStore = (place: BackupPlace): BackupStore =>
  typeof place === 'string' ? diskStore(place) : bucketStore(place)
