#!/usr/bin/env perl
# The hook client for machines without a C compiler: the same job as shim.c, with nothing but perl's core modules.
# Invariant: it ends with exit code 0 only when the daemon said so.
use strict;
use warnings;
use Socket;
use Time::HiRes qw(time);
use IO::Select;

my %option = (agent => '', event => '', 'deadline-ms' => 0);
while (@ARGV >= 2) {
  my ($name, $value) = (shift, shift);
  $option{$1} = $value if $name =~ /^--(agent|event|deadline-ms)$/;
}
my $node = $ENV{BELAY_SHIM_NODE} || '@NODE@';
my $script = $ENV{BELAY_SHIM_SCRIPT} || '@SCRIPT@';
my $home = '@HOME@';
my $path = socket_path();
# A daemon that has not even sent a blank for so long hangs.
my $quiet = 5;
my $limit = $option{'deadline-ms'} > 0 ? $option{'deadline-ms'} / 1000 : 25;
my $deadline = time + $limit;
$SIG{PIPE} = 'IGNORE';

binmode STDIN;
binmode STDOUT;
binmode STDERR;
my $payload = do { local $/; <STDIN> };
$payload = '' unless defined $payload;

become_node_shim() if $path eq '';
my $line = ask_daemon();
print_answer($line) if defined $line;
become_node_shim('--direct');

# The environment may name another home than the one this was made for. Empty: only the Node shim knows where it is.
sub socket_path {
  my $named = $ENV{BELAY_HOME} || '';
  return $ENV{BELAY_SHIM_SOCKET} if $ENV{BELAY_SHIM_SOCKET};
  return '@SOCKET@' if $named eq '' || $named eq $home;
  return length("$named/run/shim.sock") <= 101 ? "$named/run/shim.sock" : '';
}

sub refuse {
  print STDERR "Belay: $_[0]; the call is refused because nothing could judge it\n";
  exit 2;
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

sub ask_daemon {
  return undef if length $path > 103;
  socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or return undef;
  connect($socket, sockaddr_un($path)) or return undef;
  my $select = IO::Select->new($socket);
  my $out = frame();
  while (length $out) {
    my $left = $deadline - time;
    return undef if $left <= 0 || !$select->can_write($left);
    my $wrote = syswrite($socket, $out, 65536);
    return undef unless defined $wrote;
    substr($out, 0, $wrote) = '';
  }
  my $in = '';
  while (index($in, "\n") < 0) {
    my $left = $deadline - time;
    return undef if $left <= 0 || !$select->can_read($left < $quiet ? $left : $quiet);
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
  print STDOUT unquote($out) or refuse('cannot print the answer');
  print STDERR unquote($err);
  close STDOUT or refuse('cannot print the answer');
  exit $code;
}

# '--direct' when the daemon was asked in vain.
sub become_node_shim {
  my @how = @_;
  refuse('the daemon does not answer and this shim has no fallback') if $script eq '' || $script =~ /^@/;
  open(my $scratch, '+>', undef) or refuse('no room for the payload');
  binmode $scratch;
  print $scratch $payload or refuse('no room for the payload');
  seek($scratch, 0, 0);
  require POSIX;
  POSIX::dup2(fileno($scratch), 0);
  $SIG{PIPE} = 'DEFAULT';
  $ENV{BELAY_HOME} ||= $home if $home ne '' && $home !~ /^@/;
  no warnings 'exec';
  exec { $node } $node, $script, 'hook', '--agent', $option{agent}, '--event', $option{event}, @how;
  refuse('the daemon does not answer and node cannot be started');
}
