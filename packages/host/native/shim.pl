#!/usr/bin/env perl
# The hook client for machines without a C compiler: the same job as shim.c. It loads no module on the way to the answer, not even
# Socket: loading one takes longer than all the rest.
# Invariant: it ends with exit code 0 only when the daemon or the Node shim said so; before a tool every failure ends with 2.
use strict;
use warnings;

my %option = (agent => '', event => '', 'deadline-ms' => 0);
while (@ARGV >= 2) {
  my ($name, $value) = (shift, shift);
  $option{$1} = $value if $name =~ /^--(agent|event|deadline-ms)$/;
}
my $node = built_in_or('@NODE@', 'BELAY_SHIM_NODE');
my $script = built_in_or('@SCRIPT@', 'BELAY_SHIM_SCRIPT');
my $home = built_in_or('@HOME@', '');
my $path = socket_path();
# A daemon that has not even sent a blank for so long hangs.
my $quiet = 5;
my $limit = $option{'deadline-ms'} > 0 ? $option{'deadline-ms'} / 1000 : 25;
my $begun = time;
$SIG{PIPE} = 'IGNORE';

binmode STDIN;
binmode STDOUT;
binmode STDERR;
my $payload = do { local $/; <STDIN> };
$payload = '' unless defined $payload;

run_node_shim() if $path eq '';
my $line = ask_daemon();
print_answer($line) if defined $line;
run_node_shim('--direct');

# Only a client that was made without a value takes it from the environment, for tests: a project can put variables there.
sub built_in_or {
  my ($value, $name) = @_;
  return $value if $value !~ /^@/;
  return defined $ENV{$name} ? $ENV{$name} : '';
}

# The environment may name another home than the one this was made for. Empty: only the Node shim knows where it is.
sub socket_path {
  my $built_in = built_in_or('@SOCKET@', 'BELAY_SHIM_SOCKET');
  my $named = $ENV{BELAY_HOME} || '';
  return $built_in if $named eq '' || $named eq $home || ($home eq '' && $built_in ne '');
  return length("$named/run/shim.sock") <= 101 ? "$named/run/shim.sock" : '';
}

# Events at which a failure must not hold the agent up: exit code 2 would keep it from stopping, or a person from asking. Every other
# event may be a tool that is about to run.
sub refuse {
  my ($why) = @_;
  my $is_gate = $option{event} !~ /stop|end|start|post|after|notif|comp|idle|result|prompt|agent|session|task/i;
  print STDERR $is_gate ? "Tool denied: Belay: $why, and nothing else could judge the call; a person can run `belay doctor`\n" : "Belay: $why; a person can run `belay doctor`\n";
  exit($is_gate ? 2 : 1);
}

sub quote {
  my ($text) = @_;
  $text =~ s/([\x00-\x1f"\\])/sprintf('\\u%04x', ord $1)/ge;
  return "\"$text\"";
}

sub frame {
  my @names = grep { /^(?:AGENT_(?:ID|PARENT|MANAGES|CLAIMS)|BELAY_(?:ACTOR|COMMITMENT|RUN_ID)|CLAUDE_ENV_FILE|CLAUDE_CODE_SESSION_ATTENDED|.*_PROJECT_DIR|.*PLUGIN_ROOT)$/ } sort keys %ENV;
  my $said = $ENV{CLAUDE_CODE_SESSION_ATTENDED};
  my $attended = defined $said ? $said =~ /^(?:1|true)$/ : -t STDERR;
  my $cwd = readlink('/proc/self/cwd');
  if (!defined $cwd) { require Cwd; $cwd = Cwd::getcwd(); }
  (my $body = $payload) =~ tr/\r\n/  /;
  return '{"agent":' . quote($option{agent}) . ',"event":' . quote($option{event}) . ',"cwd":' . quote($cwd)
    . ',"attended":' . ($attended ? 'true' : 'false')
    . ($option{'deadline-ms'} > 0 ? ',"deadline-ms":' . int($option{'deadline-ms'}) : '')
    . ',"env":{' . join(',', map { quote($_) . ':' . quote($ENV{$_}) } @names) . '},"payload":' . $body . "}\n";
}

# Whether the socket is ready ('r' to read, 'w' to write) within so many seconds. `time` counts whole seconds, so the deadline may come
# up to one second early.
sub is_ready {
  my ($socket, $how, $seconds) = @_;
  my $bits = '';
  vec($bits, fileno($socket), 1) = 1;
  return $seconds > 0 && ($how eq 'r' ? select(my $in = $bits, undef, undef, $seconds) : select(undef, my $out = $bits, undef, $seconds)) > 0;
}

sub seconds_left {
  my $passed = time - $begun;
  return $passed == 0 ? $limit : $limit - $passed;
}

# AF_UNIX and SOCK_STREAM are 1 everywhere; BSD systems begin an address with its length.
sub unix_address {
  my ($name) = @_;
  return pack('S a*', 1, "$name\0") if $^O eq 'linux';
  return pack('C C a*', length($name) + 3, 1, "$name\0");
}

sub ask_daemon {
  return undef if length $path > 103;
  socket(my $socket, 1, 1, 0) or return undef;
  connect($socket, unix_address($path)) or return undef;
  my $out = frame();
  while (length $out) {
    return undef unless is_ready($socket, 'w', seconds_left());
    my $wrote = syswrite($socket, $out, 65536);
    return undef unless defined $wrote;
    substr($out, 0, $wrote) = '';
  }
  my $in = '';
  while (index($in, "\n") < 0) {
    my $left = seconds_left();
    return undef unless is_ready($socket, 'r', $left < $quiet ? $left : $quiet);
    my $got = sysread($socket, $in, 65536, length $in);
    return undef unless $got;
  }
  return substr($in, 0, index($in, "\n"));
}

sub unquote {
  my ($text) = @_;
  my %meant = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t", '"' => '"', '\\' => '\\', '/' => '/');
  $text =~ s{\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))}{
    my $code = defined $1 ? 0x10000 + ((hex($1) - 0xD800) << 10) + (hex($2) - 0xDC00) : defined $3 ? hex $3 : undef;
    my $piece = defined $code ? chr $code : $meant{$4};
    utf8::encode($piece) if defined $code;
    $piece }gex;
  return $text;
}

# The JSON string at the current position of $_[0], still escaped; undef when there is none. A loop, because perl caps repetition.
sub take_string {
  return undef unless $_[0] =~ /\G"/gc;
  my $start = pos $_[0];
  1 while $_[0] =~ /\G(?:[^"\\]+|\\.)/gc;
  my $length = pos($_[0]) - $start;
  return $_[0] =~ /\G"/gc ? substr($_[0], $start, $length) : undef;
}

sub print_answer {
  my ($line) = @_;
  return unless $line =~ /\G *\{"exit":(\d{1,3}),"stdout":/gc;
  my $code = $1;
  my $out = take_string($line);
  return unless defined $out && $line =~ /\G,"stderr":/gc;
  my $err = take_string($line);
  return unless defined $err && $line =~ /\G\}$/gc;
  print STDOUT unquote($out) or refuse('the answer cannot be printed');
  print STDERR unquote($err);
  close STDOUT or refuse('the answer cannot be printed');
  exit $code;
}

# '--direct' when the daemon was asked in vain. It is waited for: should it crash, its exit code would let the tool run.
sub run_node_shim {
  my @how = @_;
  refuse('the daemon does not answer and this client has no fallback') if $script eq '';
  open(my $scratch, '+>', undef) or refuse('there is no room for the payload');
  binmode $scratch;
  print $scratch $payload or refuse('there is no room for the payload');
  seek($scratch, 0, 0);
  $ENV{BELAY_HOME} ||= $home if $home ne '';
  $SIG{PIPE} = 'DEFAULT';
  my $child = fork();
  refuse('the daemon does not answer and its fallback cannot be started') unless defined $child;
  if ($child == 0) {
    require POSIX;
    POSIX::dup2(fileno($scratch), 0);
    no warnings 'exec';
    exec { $node } $node, $script, 'hook', '--agent', $option{agent}, '--event', $option{event}, @how;
    POSIX::_exit(127);
  }
  waitpid($child, 0);
  exit($? >> 8) if $? == 0 || $? == 2 << 8;
  refuse('the daemon does not answer and its fallback failed');
}
