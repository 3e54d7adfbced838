/** Requests and answers: rupees, contracts, ISO 8601 in UTC. The contract defines each shape once. */
export type * from '../api/auth/auth-shape.js'
export type { UserMessage } from '../api/channels/user-message-shape.js'
export type {
  Categories,
  Category,
  HouseRung,
  Level,
  ListedMarket,
  Market,
  MarketPage,
  MarketStatus,
  OrderBook,
  Outcome,
  QuotedByHouse,
} from '../api/events/event-shape.js'
export type * from '../api/groups/group-shape.js'
export type { Candle, Trade } from '../api/events/trade-shape.js'
export type { GroupHouseQuotes, HouseQuotes } from '../api/operator/liquidity-shape.js'
export type * from '../api/operator/operator-shape.js'
export type * from '../api/orders/order-shape.js'
export type { OrderInQueue, OrderPreview, QueuedOrder, QueuePlace } from '../api/orders/preview-shape.js'
export type { Quote, ReplacedQuotes } from '../api/orders/quote-shape.js'
export type { CancelTimer } from '../api/orders/timer-shape.js'
export type { Performance, PerformancePoint } from '../api/portfolio/performance-shape.js'
export type {
  Balance,
  Fill,
  ListedUser,
  NumberedBalance,
  Position,
  UserBalance,
  ValuedPosition,
} from '../api/portfolio/portfolio-shape.js'
export type { Settlement, StatementEntry, TransferReceipt } from '../api/portfolio/statement-shape.js'
export type { Announcement, AnnouncementRequest } from '../api/site/announcement-shape.js'
export type { Taking } from '../api/site/activity-shape.js'
export type { Comment, CommentRequest, ListedComment } from '../api/site/comment-shape.js'
export type {
  Leaderboard,
  PersonFigures,
  Profile,
  ProfileChoice,
  RankedPerson,
  SeasonPlace,
  Ranking,
  Span,
} from '../api/site/people-shape.js'
export type {
  Webhook,
  WebhookDelivery,
  WebhookEdit,
  WebhookEvent,
  WebhookFormat,
  WebhookRequest,
  WebhookState,
  WebhookWithSecret,
} from '../api/operator/webhook-shape.js'
export type { Season, SeasonRequest, SeasonStatus, SeasonTurn } from '../api/seasons/season-shape.js'
export type { EventSchedule, EventScheduleRequest } from '../api/site/schedule-shape.js'
export type { UserSettings, Watchlist } from '../api/site/settings-shape.js'
export type { EventTemplate, EventTemplateRequest, EventTemplates } from '../api/site/template-shape.js'
