import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { answerField } from '../fields.js'
import { adminAnswers } from '../operator/admin-answer.js'
import { pageQuery } from '../page-query.js'
import { FULL, NOT_CONVERTED, REFUSED } from '../refusal-texts.js'
import { PAGE_FAULTS, route } from '../route.js'
import { samples } from '../samples.js'
import { groupAnswers } from './group-answer.js'
import { groupSamples } from './group-samples.js'
import {
  conversionQuery,
  conversionSchema,
  groupEditSchema,
  groupPreviewQuery,
  groupResolutionSchema,
  groupSchema,
} from './group-schema.js'

const { title: _, ...terms } = samples.newEvent
const { group, resolved, position, conversion, money, preview } = groupSamples
const EDITED = Object.keys(groupEditSchema.shape).join(', ')
const NO_GROUP = { 404: [REFUSED.groupNotFound] }
const LENGTH = 'outcomes: Expected 2 to 100 outcomes'

/** Groups of events: create, list, look at, convert contracts, set results. */
export const groupRoutes = {
  createGroup: route({
    id: 'createGroup',
    method: 'POST',
    path: '/groups/create',
    needs: 'create',
    group: 'Events',
    summary: 'Create a group of events, one for each outcome',
    description:
      '201: the group and its events are on disk. `additional` is the code of the group. It is charged as ' +
      'one event per outcome, and created as a whole or not at all.',
    body: {
      schema: groupSchema,
      samples: {
        'exactly one comes true': {
          ...terms,
          title: 'Who wins the cup?',
          kind: 'exclusive',
          none_of_these: true,
          outcomes: [
            { title: 'India', icon: '🇮🇳' },
            { title: 'Australia', description: 'The national team.' },
          ],
        },
      },
    },
    answers: [
      {
        code: 201,
        message: DONE.groupCreated,
        additional: answerField.eventCode,
        samples: { created: { additional: '1000001' } },
      },
    ],
    refusals: {
      409: [`outcomes.1.title: ${REFUSED.eventExists}`],
      422: [
        'title: Required',
        LENGTH,
        'outcomes.1.title: Expected another title than the outcomes before',
        'none_of_these: Expected only in an exclusive group',
        REFUSED.categoriesFull,
      ],
      503: [FULL.queue_full, FULL.events_full],
    },
  }),
  listGroups: route({
    id: 'listGroups',
    method: 'GET',
    path: '/groups',
    needs: 'markets',
    group: 'Events',
    summary: 'List groups of events, by code',
    query: pageQuery,
    querySample: { limit: 100, cursor: '1000001' },
    answers: [
      {
        code: 200,
        message: DONE.groupsFetched,
        additional: z.object({ groups: z.array(groupAnswers.group), next_cursor: answerField.nextCursor }),
        samples: { 'the last page': { additional: { groups: [group], next_cursor: null } } },
      },
    ],
    refusals: { 422: PAGE_FAULTS },
  }),
  getGroup: route({
    id: 'getGroup',
    method: 'GET',
    path: '/groups/:code',
    needs: 'markets',
    group: 'Events',
    summary: 'Get a group of events',
    answers: shown(DONE.groupFetched, { 'an open group': { additional: group } }),
    refusals: NO_GROUP,
  }),
  getGroupPosition: route({
    id: 'getGroupPosition',
    method: 'GET',
    path: '/groups/:code/position/:userid',
    needs: 'read',
    group: 'Portfolio',
    summary: 'Get what each outcome of an exclusive group would pay a user, and what can be released',
    answers: [
      {
        code: 200,
        message: DONE.groupPositionFetched,
        additional: groupAnswers.position,
        samples: { position: { additional: position } },
      },
    ],
    refusals: { 404: [REFUSED.groupNotFound, REFUSED.userNotFound], 409: [REFUSED.groupIndependent] },
  }),
  convertContracts: route({
    id: 'convertContracts',
    method: 'POST',
    path: '/groups/:code/convert',
    needs: 'trade',
    cost: { kind: 'orders', points: 1 },
    group: 'Orders',
    summary: 'Convert contracts of an exclusive group into money, or money into contracts',
    description:
      '`release`: NO contracts in k outcomes become k − 1 times the payout, and YES contracts in all other ' +
      'outcomes; with no outcomes, a complete set of YES contracts becomes the payout. `build` does the ' +
      'reverse. Outcomes with a result take no part. 200: it is on disk. The same client_order_id and body ' +
      'again is the same conversion, and shows the position of now.',
    query: conversionQuery,
    querySample: { preview: 'true' },
    body: {
      schema: conversionSchema,
      samples: {
        release: { userid: 'asha', outcomes: ['1000002', '1000003'], quantity: 1 },
        'build a complete set': { userid: 'asha', outcomes: [], quantity: 5, direction: 'build' },
      },
    },
    answers: [
      {
        code: 200,
        message: /^(?:Contracts converted|Conversion previewed) successfully$/,
        additional: groupAnswers.conversion,
        samples: { converted: { message: DONE.contractsConverted, additional: conversion } },
      },
    ],
    refusals: {
      403: [FULL.trading_suspended],
      404: [REFUSED.groupNotFound, REFUSED.userNotFound],
      409: [...Object.values(NOT_CONVERTED), REFUSED.groupIndependent, REFUSED.conversionKeyUsed],
      422: ['quantity: Required', `outcomes: ${REFUSED.outcomeUnknown}`],
      503: [FULL.queue_full],
    },
  }),
  getGroupMoney: route({
    id: 'getGroupMoney',
    method: 'GET',
    path: '/groups/:code/money',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'Get what a group holds in escrow, will pay and has charged in fees',
    answers: [
      {
        code: 200,
        message: DONE.groupMoneyFetched,
        additional: groupAnswers.money,
        samples: { money: { additional: money } },
      },
    ],
    refusals: NO_GROUP,
  }),
  previewGroupSettlement: route({
    id: 'previewGroupSettlement',
    method: 'GET',
    path: '/groups/:code/settlement',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'Preview the result of an exclusive group',
    description:
      'What each user would get if an outcome wins, or in a void. `paid` is less what conversions and ' +
      'eliminated outcomes have paid. Otherwise as for an event.',
    query: groupPreviewQuery,
    querySample: { winner: '1000002', limit: 100, cursor: '4' },
    answers: [
      {
        code: 200,
        message: DONE.settlementPreviewed,
        additional: adminAnswers.groupPreview,
        samples: { preview: { additional: preview } },
      },
    ],
    looksUp: true,
    refusals: {
      404: [REFUSED.groupNotFound],
      409: ['Event 1000002 is open: close it first', REFUSED.groupIndependent],
      422: [REFUSED.winnerUnknown, ...PAGE_FAULTS],
    },
  }),
  editGroup: route({
    id: 'editGroup',
    method: 'PATCH',
    path: '/groups/:code',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Edit the title and description of a group, and the terms of its outcomes',
    description:
      'Dates, bets, quantity, source and fee rates change in every outcome in which they still can, as for ' +
      'an event; if one of these would be invalid, in none. Titles and texts of outcomes are edited with ' +
      'their events.',
    body: {
      schema: groupEditSchema,
      samples: {
        edit: { title: 'Who wins the cup?', description: 'The winner of the final.' },
        fees: { fee_taker_bp: 50, fee_maker_bp: null },
        terms: { end_date: '2036-02-01T00:00:00Z', max_bet: 5000, quantity: 2000 },
      },
    },
    answers: shown(DONE.groupEdited, { edited: { additional: group } }),
    refusals: {
      ...NO_GROUP,
      409: ['Group is closed: its fee_taker_bp can no longer change'],
      422: [`body: Expected one of ${EDITED}`, 'fee_taker_bp: Expected 0 to 1000'],
      503: [FULL.queue_full],
    },
  }),
  resolveGroup: route({
    id: 'resolveGroup',
    method: 'POST',
    path: '/groups/:code/resolve',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Set the result of a group',
    description:
      'Exclusive: `winner` is the code of an event, or `void`. Independent: `outcomes` by the codes of ' +
      'events; those left out stay as they are. All outcomes that get yes or no must be closed. 200: it is ' +
      'on disk. Payouts follow in batches.',
    body: {
      schema: groupResolutionSchema,
      samples: {
        'a winner': { winner: '1000002', source_url: 'https://example.org/result' },
        'of an independent group': { outcomes: { 1000002: 'yes' } },
      },
    },
    answers: shown(DONE.groupResolved, { resolved: { additional: resolved } }),
    refusals: {
      ...NO_GROUP,
      409: [
        'Event 1000002 is open: close it first',
        'Event 1000002 is resolved as no: its outcome can no longer change',
        'Event 1000002 is voided: its outcome can no longer change',
      ],
      422: [
        REFUSED.winnerUnknown,
        'outcomes: Required in an independent group',
        `outcomes: ${REFUSED.outcomeUnknown}`,
        'source_url: Expected an http or https address',
      ],
    },
  }),
  haltGroup: move('halt', 'halted', 'Stops new orders; open orders stay in the books.'),
  resumeGroup: move('resume', 'resumed', 'Resumes trading in halted outcomes.'),
  closeGroup: move('close', 'closed', 'Ends trading: cancels all open orders and releases their holds.'),
}

/** Returns an answer that shows a group. */
function shown(message: string, examples: Readonly<Record<string, { readonly additional: unknown }>>) {
  return [{ code: 200 as const, message, additional: groupAnswers.group, samples: examples }]
}

function move<const Verb extends 'halt' | 'resume' | 'close'>(verb: Verb, done: string, effect: string) {
  const outcomes = {
    halt: group.outcomes.map(outcome => ({ ...outcome, status: 'halted' as const })),
    resume: group.outcomes,
    close: group.outcomes.map(outcome => ({ ...outcome, status: 'closed' as const })),
  }[verb]
  const status = outcomes[0]?.status ?? 'open'
  return route({
    id: `${verb}Group`,
    method: 'POST',
    path: `/groups/:code/${verb}`,
    needs: 'operator:operate',
    group: 'Operator',
    summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} all outcomes of a group`,
    description: `${effect} Outcomes that cannot follow stay as they are. Takes no body.`,
    answers: shown(`Group ${done} successfully`, { [done]: { additional: { ...group, status, outcomes } } }),
    refusals: { ...NO_GROUP, 409: [`Group is settled: it can no longer be ${done}`] },
  })
}
