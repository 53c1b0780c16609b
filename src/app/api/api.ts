export { createGateway } from './create-gateway.ts';
export type { Gateway, GatewayOptions, Log, LogFields, Settings } from './gateway.ts';
export type { SettingName } from './setting-name.ts';
