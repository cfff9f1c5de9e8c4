import type { Handler } from "@/lib/server/handler";
import * as activity from "../activity/route";
import * as artifactArchive from "../artifacts/[id]/archive/route";
import * as artifactFile from "../artifacts/[id]/files/[role]/route";
import * as artifactPin from "../artifacts/[id]/pin/route";
import * as artifact from "../artifacts/[id]/route";
import * as artifacts from "../artifacts/route";
import * as audit from "../audit/route";
import * as boardModel from "../board-models/[id]/route";
import * as boardModels from "../board-models/route";
import * as boardArtifacts from "../boards/[id]/artifacts/route";
import * as boardAvailability from "../boards/[id]/availability/route";
import * as boardBlink from "../boards/[id]/blink/route";
import * as boardDrain from "../boards/[id]/drain/route";
import * as boardHistory from "../boards/[id]/history/route";
import * as boardReload from "../boards/[id]/reload/route";
import * as boardResume from "../boards/[id]/resume/route";
import * as board from "../boards/[id]/route";
import * as boardSelfTest from "../boards/[id]/self-test/route";
import * as attachment from "../boards/attachments/[id]/route";
import * as attachments from "../boards/attachments/route";
import * as enrolments from "../boards/enrolments/route";
import * as boards from "../boards/route";
import * as buildCancel from "../builds/[id]/cancel/route";
import * as buildLabels from "../builds/[id]/labels/route";
import * as buildLogDifference from "../builds/[id]/log/difference/route";
import * as buildLogOutline from "../builds/[id]/log/outline/route";
import * as buildLog from "../builds/[id]/log/route";
import * as buildLogSearch from "../builds/[id]/log/search/route";
import * as buildNotices from "../builds/[id]/notices/route";
import * as buildPriority from "../builds/[id]/priority/route";
import * as buildRetry from "../builds/[id]/retry/route";
import * as build from "../builds/[id]/route";
import * as buildTimeline from "../builds/[id]/timeline/route";
import * as buildOverview from "../builds/overview/route";
import * as buildQueue from "../builds/queue/route";
import * as builds from "../builds/route";
import * as buildTrend from "../builds/trend/route";
import * as projectConnection from "../connections/[id]/route";
import * as projectConnectionTest from "../connections/[id]/test/route";
import * as projectConnections from "../connections/route";
import * as countsOfArtifacts from "../counts/artifacts/route";
import * as countsOfBoards from "../counts/boards/route";
import * as countsOfBuilds from "../counts/builds/route";
import * as countsOfEndpoints from "../counts/endpoints/route";
import * as countsOfModels from "../counts/models/route";
import * as doctorChecks from "../doctor/checks/route";
import * as doctor from "../doctor/route";
import * as endpointAccess from "../endpoints/[name]/access/route";
import * as float from "../endpoints/[name]/float/route";
import * as endpointLink from "../endpoints/[name]/links/[id]/route";
import * as endpointLinks from "../endpoints/[name]/links/route";
import * as endpointLog from "../endpoints/[name]/log/route";
import * as pause from "../endpoints/[name]/pause/route";
import * as payloads from "../endpoints/[name]/payloads/route";
import * as predict from "../endpoints/[name]/predict/route";
import * as request from "../endpoints/[name]/requests/[id]/route";
import * as requests from "../endpoints/[name]/requests/route";
import * as resume from "../endpoints/[name]/resume/route";
import * as revisions from "../endpoints/[name]/revisions/route";
import * as rollback from "../endpoints/[name]/rollback/route";
import * as endpoint from "../endpoints/[name]/route";
import * as testRows from "../endpoints/[name]/test-rows/route";
import * as endpointTraffic from "../endpoints/[name]/traffic/route";
import * as endpoints from "../endpoints/route";
import * as engines from "../engines/route";
import * as events from "../events/route";
import * as forecastsBuilt from "../forecasts/built/route";
import * as forecastsEqual from "../forecasts/equal/route";
import * as forecasts from "../forecasts/route";
import * as invitation from "../invitations/[id]/route";
import * as invitationAccept from "../invitations/accept/route";
import * as invitationJoin from "../invitations/join/route";
import * as invitationOffer from "../invitations/offer/route";
import * as invitations from "../invitations/route";
import * as leaseConsole from "../leases/[id]/console/route";
import * as leaseExtend from "../leases/[id]/extend/route";
import * as leaseInfer from "../leases/[id]/infer/route";
import * as leaseLoad from "../leases/[id]/load/route";
import * as leaseRelease from "../leases/[id]/release/route";
import * as lease from "../leases/[id]/route";
import * as leaseUnload from "../leases/[id]/unload/route";
import * as leases from "../leases/route";
import * as leaseWait from "../leases/waiting/[id]/route";
import * as leaseWaiting from "../leases/waiting/route";
import * as newPasskeyOptions from "../me/passkeys/options/route";
import * as newPasskey from "../me/passkeys/route";
import * as password from "../me/password/route";
import * as projectChoice from "../me/project/route";
import * as me from "../me/route";
import * as personSession from "../me/sessions/[id]/route";
import * as personSessions from "../me/sessions/route";
import * as signInWay from "../me/sign-ins/[id]/route";
import * as signInWays from "../me/sign-ins/route";
import * as serviceLink from "../me/sign-ins/service/route";
import * as passwordLink from "../members/[id]/password-link/route";
import * as memberRole from "../members/[id]/role/route";
import * as member from "../members/[id]/route";
import * as members from "../members/route";
import * as modelAlias from "../models/[id]/aliases/[name]/route";
import * as modelAliases from "../models/[id]/aliases/route";
import * as modelArchive from "../models/[id]/archive/route";
import * as modelBuilds from "../models/[id]/builds/route";
import * as modelFile from "../models/[id]/file/route";
import * as modelLook from "../models/[id]/look/route";
import * as model from "../models/[id]/route";
import * as inspect from "../models/inspect/route";
import * as inspection from "../models/inspections/[id]/route";
import * as models from "../models/route";
import * as modelSources from "../models/sources/route";
import * as namesOfEndpoints from "../names/endpoints/route";
import * as deliveryAgain from "../notifications/deliveries/[id]/redeliver/route";
import * as deliveries from "../notifications/deliveries/route";
import * as recipient from "../notifications/recipients/[id]/route";
import * as recipientTest from "../notifications/recipients/[id]/test/route";
import * as recipients from "../notifications/recipients/route";
import * as notifications from "../notifications/route";
import * as webhook from "../notifications/webhooks/[id]/route";
import * as webhookTest from "../notifications/webhooks/[id]/test/route";
import * as webhooks from "../notifications/webhooks/route";
import * as overviewOfEndpoints from "../overviews/endpoints/route";
import * as passwordOffer from "../passwords/offer/route";
import * as passwords from "../passwords/route";
import * as projectQuotas from "../projects/[id]/quotas/route";
import * as projects from "../projects/route";
import * as quotas from "../quotas/route";
import * as recipeRestore from "../recipes/[id]/restore/route";
import * as recipe from "../recipes/[id]/route";
import * as recipes from "../recipes/route";
import * as rows from "../rows/route";
import * as search from "../searches/[id]/route";
import * as searches from "../searches/route";
import * as session from "../session/route";
import * as about from "../settings/about/route";
import * as connectionTest from "../settings/connections/[id]/test/route";
import * as connections from "../settings/connections/route";
import * as storage from "../settings/storage/route";
import * as adoptions from "../sightings/adoptions/route";
import * as sightings from "../sightings/route";
import * as passkeySignInOptions from "../sign-in/passkey/options/route";
import * as passkeySignIn from "../sign-in/passkey/route";
import * as signInOptions from "../sign-in/route";
import * as serviceAnswer from "../sign-in/service/answer/route";
import * as serviceStart from "../sign-in/service/route";
import * as token from "../tokens/[id]/route";
import * as tokens from "../tokens/route";
import * as traffic from "../traffic/route";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";
type RouteModule = Partial<Record<Method, Handler>>;

/** Every route of the API by its path; a test holds it to the folders. */
export const routes: Readonly<Record<string, RouteModule>> = {
  "/activity": activity,
  "/artifacts": artifacts,
  "/artifacts/{id}": artifact,
  "/artifacts/{id}/archive": artifactArchive,
  "/artifacts/{id}/files/{role}": artifactFile,
  "/artifacts/{id}/pin": artifactPin,
  "/audit": audit,
  "/board-models": boardModels,
  "/board-models/{id}": boardModel,
  "/boards": boards,
  "/boards/{id}": board,
  "/boards/{id}/artifacts": boardArtifacts,
  "/boards/{id}/availability": boardAvailability,
  "/boards/{id}/blink": boardBlink,
  "/boards/{id}/drain": boardDrain,
  "/boards/{id}/history": boardHistory,
  "/boards/{id}/reload": boardReload,
  "/boards/{id}/resume": boardResume,
  "/boards/{id}/self-test": boardSelfTest,
  "/boards/attachments": attachments,
  "/boards/attachments/{id}": attachment,
  "/boards/enrolments": enrolments,
  "/builds": builds,
  "/builds/{id}": build,
  "/builds/{id}/cancel": buildCancel,
  "/builds/{id}/labels": buildLabels,
  "/builds/{id}/log": buildLog,
  "/builds/{id}/log/outline": buildLogOutline,
  "/builds/{id}/log/difference": buildLogDifference,
  "/builds/{id}/log/search": buildLogSearch,
  "/builds/{id}/notices": buildNotices,
  "/builds/{id}/priority": buildPriority,
  "/builds/{id}/retry": buildRetry,
  "/builds/{id}/timeline": buildTimeline,
  "/builds/overview": buildOverview,
  "/builds/queue": buildQueue,
  "/builds/trend": buildTrend,
  "/connections": projectConnections,
  "/connections/{id}": projectConnection,
  "/connections/{id}/test": projectConnectionTest,
  "/counts/artifacts": countsOfArtifacts,
  "/counts/boards": countsOfBoards,
  "/counts/builds": countsOfBuilds,
  "/counts/endpoints": countsOfEndpoints,
  "/counts/models": countsOfModels,
  "/doctor": doctor,
  "/doctor/checks": doctorChecks,
  "/endpoints": endpoints,
  "/endpoints/{name}": endpoint,
  "/endpoints/{name}/log": endpointLog,
  "/endpoints/{name}/access": endpointAccess,
  "/endpoints/{name}/links": endpointLinks,
  "/endpoints/{name}/links/{id}": endpointLink,
  "/endpoints/{name}/float": float,
  "/endpoints/{name}/pause": pause,
  "/endpoints/{name}/payloads": payloads,
  "/endpoints/{name}/predict": predict,
  "/endpoints/{name}/requests": requests,
  "/endpoints/{name}/requests/{id}": request,
  "/endpoints/{name}/resume": resume,
  "/endpoints/{name}/revisions": revisions,
  "/endpoints/{name}/rollback": rollback,
  "/endpoints/{name}/traffic": endpointTraffic,
  "/endpoints/{name}/test-rows": testRows,
  "/engines": engines,
  "/events": events,
  "/forecasts": forecasts,
  "/forecasts/built": forecastsBuilt,
  "/forecasts/equal": forecastsEqual,
  "/models": models,
  "/models/{id}": model,
  "/models/{id}/aliases": modelAliases,
  "/models/{id}/aliases/{name}": modelAlias,
  "/models/{id}/archive": modelArchive,
  "/models/{id}/builds": modelBuilds,
  "/models/{id}/file": modelFile,
  "/models/{id}/look": modelLook,
  "/models/inspect": inspect,
  "/models/inspections/{id}": inspection,
  "/models/sources": modelSources,
  "/names/endpoints": namesOfEndpoints,
  "/notifications": notifications,
  "/notifications/deliveries": deliveries,
  "/notifications/deliveries/{id}/redeliver": deliveryAgain,
  "/notifications/recipients": recipients,
  "/notifications/recipients/{id}": recipient,
  "/notifications/recipients/{id}/test": recipientTest,
  "/notifications/webhooks": webhooks,
  "/notifications/webhooks/{id}": webhook,
  "/notifications/webhooks/{id}/test": webhookTest,
  "/invitations": invitations,
  "/invitations/{id}": invitation,
  "/invitations/accept": invitationAccept,
  "/invitations/join": invitationJoin,
  "/invitations/offer": invitationOffer,
  "/leases": leases,
  "/leases/{id}": lease,
  "/leases/{id}/console": leaseConsole,
  "/leases/{id}/extend": leaseExtend,
  "/leases/{id}/infer": leaseInfer,
  "/leases/{id}/load": leaseLoad,
  "/leases/{id}/release": leaseRelease,
  "/leases/{id}/unload": leaseUnload,
  "/leases/waiting": leaseWaiting,
  "/leases/waiting/{id}": leaseWait,
  "/me": me,
  "/me/passkeys": newPasskey,
  "/me/passkeys/options": newPasskeyOptions,
  "/me/password": password,
  "/me/project": projectChoice,
  "/me/sessions": personSessions,
  "/me/sessions/{id}": personSession,
  "/me/sign-ins": signInWays,
  "/me/sign-ins/service": serviceLink,
  "/me/sign-ins/{id}": signInWay,
  "/members": members,
  "/members/{id}": member,
  "/members/{id}/password-link": passwordLink,
  "/members/{id}/role": memberRole,
  "/projects": projects,
  "/projects/{id}/quotas": projectQuotas,
  "/quotas": quotas,
  "/session": session,
  "/sign-in": signInOptions,
  "/sign-in/passkey": passkeySignIn,
  "/sign-in/passkey/options": passkeySignInOptions,
  "/sign-in/service": serviceStart,
  "/sign-in/service/answer": serviceAnswer,
  "/overviews/endpoints": overviewOfEndpoints,
  "/passwords": passwords,
  "/passwords/offer": passwordOffer,
  "/recipes": recipes,
  "/recipes/{id}": recipe,
  "/recipes/{id}/restore": recipeRestore,
  "/rows": rows,
  "/searches": searches,
  "/searches/{id}": search,
  "/settings/about": about,
  "/settings/connections": connections,
  "/settings/connections/{id}/test": connectionTest,
  "/settings/storage": storage,
  "/sightings": sightings,
  "/sightings/adoptions": adoptions,
  "/tokens": tokens,
  "/tokens/{id}": token,
  "/traffic": traffic,
};
