import { basename } from 'node:path'
import { journalPath } from '../../store/files/journal-path.js'
import { movedAway } from './moved-away.js'

/** Says that tables have lost their journal, and what to do. */
export function journalMissing(file: string): string {
  const journal = journalPath(file)
  return (
    `${file} is there, but its journal ${journal} is missing. Nothing was changed. ` +
    `Put the journal back beside it; or restore a backup as ${file}, which brings a journal of its own`
  )
}

/** Says that the two files are of different histories, and what to do. */
export function notOneHistory(file: string, fault: string): string {
  const journal = journalPath(file)
  return (
    `${basename(file)} and ${basename(journal)} do not belong together (${fault}). Nothing was changed. ` +
    'Put the two files of one moment there; or restore a backup with raay backup restore --overwrite'
  )
}

/** Says that a restored file has another journal beside it, and what to do. */
export function otherJournal(file: string, fault: string): string {
  return (
    `${fault}. Nothing was changed. To start from ${basename(file)} alone, move the other journal away ` +
    `with its log: ${movedAway(journalPath(file))}`
  )
}
