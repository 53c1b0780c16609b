import { host } from '../../macros/host.ts';
import { bytesOfIp } from '../../macros/ip.ts';
import { ipNetMask, ipToString, ipTruncate, ipv4FromInt64, ipv4ToInt64 } from '../../udf/net/ip-address.ts';
import { publicSuffix, registeredDomain } from '../../udf/net/public-suffix.ts';
import { type FunctionEntries, macro, total } from '../call/entry.ts';

export const netFunctions: FunctionEntries = {
  'net.host': macro(host),
  'net.public_suffix': macro(publicSuffix),
  'net.reg_domain': macro(registeredDomain),
  'net.ip_from_string': macro(bytesOfIp),
  'net.safe_ip_from_string': total((call) => bytesOfIp.call([call.sql(0)], true)),
  'net.ip_to_string': macro(ipToString),
  'net.ip_net_mask': macro(ipNetMask),
  'net.ip_trunc': macro(ipTruncate),
  'net.ipv4_from_int64': macro(ipv4FromInt64),
  'net.ipv4_to_int64': macro(ipv4ToInt64),
};
